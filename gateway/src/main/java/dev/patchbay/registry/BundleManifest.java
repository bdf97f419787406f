package dev.patchbay.registry;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.registry.DeclaredInput.Format;
import dev.patchbay.registry.DeclaredInput.Rules;
import dev.patchbay.registry.LaunchTemplate.ArgumentTemplate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The manifest of a bundle, versions 0.1 to 0.4.
 *
 * @param name the name of the bundle
 * @param title the name for people; empty if it has none
 */
public record BundleManifest(
        String name, String version, String title, String description, Json manifest) {
    private static final Set<String> VERSIONS = Set.of("0.1", "0.2", "0.3", "0.4");
    private static final Set<String> TYPES = Set.of("node", "python", "binary", "uv");

    public static BundleManifest read(byte[] text) throws RegistryException {
        Json manifest;
        try {
            manifest = Json.parse(text);
        } catch (JsonException e) {
            throw new RegistryException("The manifest of the bundle is not JSON: " + e.reason());
        }
        if (!manifest.isObject()) {
            throw new RegistryException("The manifest of the bundle is not an object");
        }
        String schema = SchemaNames.text(manifest, "manifest_version");
        String known = schema.isEmpty() ? SchemaNames.text(manifest, "dxt_version") : schema;
        if (!VERSIONS.contains(known)) {
            throw new RegistryException(
                    "The manifest of the bundle has the version '%s'; 0.1 to 0.4 are supported"
                            .formatted(known));
        }
        String name = SchemaNames.text(manifest, "name");
        if (name.isBlank()) {
            throw new RegistryException("The manifest of the bundle has no name");
        }
        return new BundleManifest(
                name,
                SchemaNames.text(manifest, "version"),
                SchemaNames.text(manifest, "display_name"),
                SchemaNames.text(manifest, "description"),
                manifest);
    }

    /**
     * How the server of the bundle is started.
     *
     * @param folder where the bundle is, or will be, unpacked
     * @param isInstalled whether a program of this name can be started
     */
    public LaunchTemplate launch(
            Path folder, Environment environment, Predicate<String> isInstalled)
            throws RegistryException {
        String platform = platformName(environment.platform());
        List<Json> platforms =
                SchemaNames.list(SchemaNames.object(manifest, "compatibility"), "platforms");
        if (!platforms.isEmpty() && platforms.stream().noneMatch(it -> it.isText(platform))) {
            throw new RegistryException("The bundle does not run on this platform, " + platform);
        }
        Json server = SchemaNames.object(manifest, "server");
        String type = SchemaNames.text(server, "type");
        if (!TYPES.contains(type)) {
            throw new RegistryException(
                    "The bundle has a server of the unknown type '" + type + "'");
        }
        Json config = SchemaNames.object(server, "mcp_config");
        var texts = new BundleTexts(folder, environment, inputs(environment));
        if (!SchemaNames.has(config, "command")) {
            return withoutConfig(type, SchemaNames.text(server, "entry_point"), folder);
        }
        Json own = SchemaNames.object(SchemaNames.object(config, "platform_overrides"), platform);
        var words = new ArrayList<ArgumentTemplate>();
        String command =
                SchemaNames.text(SchemaNames.has(own, "command") ? own : config, "command");
        words.add(texts.program(command, type, isInstalled));
        for (Json arg : SchemaNames.list(SchemaNames.has(own, "args") ? own : config, "args")) {
            String word = arg.isString() ? arg.text() : arg.toString();
            words.add(new ArgumentTemplate(null, texts.template(word), false));
        }
        var env = new LinkedHashMap<String, ValueTemplate>();
        for (Json values : List.of(config, own)) {
            for (Json.Member variable : SchemaNames.object(values, "env").members()) {
                Json value = variable.value();
                env.put(
                        variable.name(),
                        texts.template(value.isString() ? value.text() : value.toString()));
            }
        }
        return new LaunchTemplate.Command(words, env, folder.toString());
    }

    /** A server of the type uv needs no command: uv installs what the project declares. */
    private static LaunchTemplate withoutConfig(String type, String entryPoint, Path folder)
            throws RegistryException {
        if (!type.equals("uv") || entryPoint.isBlank() || entryPoint.startsWith("-")) {
            throw new RegistryException("The bundle does not say how its server is started");
        }
        var words = new ArrayList<ArgumentTemplate>();
        for (String word : List.of("uv", "run", "--directory", folder.toString(), entryPoint)) {
            words.add(ArgumentTemplate.word(word));
        }
        return new LaunchTemplate.Command(words, Map.of(), folder.toString());
    }

    static String platformName(Platform platform) {
        return switch (platform) {
            case LINUX -> "linux";
            case MACOS -> "darwin";
            case WINDOWS -> "win32";
        };
    }

    private Map<String, DeclaredInput> inputs(Environment environment) {
        var inputs = new LinkedHashMap<String, DeclaredInput>();
        for (Json.Member member : SchemaNames.object(manifest, "user_config").members()) {
            if (member.value().isObject()) {
                inputs.put(member.name(), input(member.name(), member.value(), environment));
            }
        }
        return inputs;
    }

    private static DeclaredInput input(String name, Json option, Environment environment) {
        Format format =
                switch (SchemaNames.text(option, "type")) {
                    case "number" -> Format.NUMBER;
                    case "boolean" -> Format.BOOLEAN;
                    case "file", "directory" -> Format.FILEPATH;
                    default -> Format.STRING;
                };
        var defaults = new ArrayList<String>();
        List<Json> several = SchemaNames.list(option, "default");
        several.forEach(it -> defaults.add(it.isString() ? it.text() : it.toString()));
        String single = SchemaNames.text(option, "default");
        if (several.isEmpty() && !single.isEmpty()) {
            defaults.add(single);
        }
        String title = SchemaNames.text(option, "title");
        String description = SchemaNames.text(option, "description");
        return new DeclaredInput(
                name,
                description.isEmpty() ? title : description,
                new Rules(
                        SchemaNames.isTrue(option, "required"),
                        SchemaNames.isTrue(option, "sensitive"),
                        SchemaNames.isTrue(option, "multiple"),
                        format,
                        List.of()),
                defaults.stream().map(it -> BundleTexts.withFolders(it, environment)).toList());
    }
}

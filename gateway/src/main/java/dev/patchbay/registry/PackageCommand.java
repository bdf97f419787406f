package dev.patchbay.registry;

import dev.patchbay.json.Json;
import dev.patchbay.registry.LaunchTemplate.ArgumentTemplate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The command that runs a package with the runner of its registry, at a fixed version. The runner
 * and its first arguments come from here and never from the entry.
 */
final class PackageCommand {
    private static final Pattern NPM_NAME =
            Pattern.compile("(@[A-Za-z0-9~][A-Za-z0-9._~-]*/)?[A-Za-z0-9~_][A-Za-z0-9._~-]*");
    private static final Pattern PYPI_NAME =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]*)(\\[[A-Za-z0-9,._ -]+])?");
    private static final Pattern NUGET_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");
    private static final Pattern IMAGE =
            Pattern.compile("[a-z0-9][A-Za-z0-9._/-]*(:[0-9]+/[A-Za-z0-9._/-]+)?");
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
    private static final Pattern DIGEST = Pattern.compile("sha256:[a-f0-9]{64}");
    private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.+_!-]{0,254}");
    private static final Pattern RANGE = Pattern.compile("(?i)latest|.*([.]|^)[x*]([.].*|$)");

    /** The usual registries, which need not be named. */
    private static final Set<String> USUAL_REGISTRIES =
            Set.of(
                    "",
                    "https://registry.npmjs.org",
                    "https://pypi.org",
                    "https://pypi.org/simple",
                    "https://api.nuget.org",
                    "https://api.nuget.org/v3/index.json",
                    "https://www.nuget.org");

    /** Arguments that are always there, so that an entry need not repeat them. */
    private static final Set<String> USUAL_ARGUMENTS =
            Set.of("-y", "--yes", "run", "-i", "--interactive", "--rm", "--");

    private final Json source;
    private final String name;
    private final String version;
    private final Map<String, ValueTemplate> env;

    private PackageCommand(Json source) throws RegistryException {
        this.source = source;
        this.name = SchemaNames.text(source, "identifier").strip();
        this.version = SchemaNames.text(source, "version").strip();
        this.env =
                new LinkedHashMap<>(
                        InputReader.values(SchemaNames.list(source, "environmentVariables")));
    }

    /** The launch of a package; its transport must be stdio. */
    static LaunchTemplate of(Json source) throws RegistryException {
        String transport = SchemaNames.text(SchemaNames.object(source, "transport"), "type");
        if (!transport.isEmpty() && !transport.equals("stdio")) {
            throw new RegistryException(
                    ("The package starts a server of its own over %s. Start it, and add its URL:"
                                    + " patchbay add ID --url URL")
                            .formatted(transport));
        }
        var command = new PackageCommand(source);
        List<ArgumentTemplate> words =
                switch (SchemaNames.text(source, "registryType")) {
                    case "npm" -> command.npm();
                    case "pypi" -> command.pypi();
                    case "oci", "docker" -> command.oci();
                    case "nuget" -> command.nuget();
                    default ->
                            throw new RegistryException(
                                    "Packages of the type '%s' are not supported"
                                            .formatted(SchemaNames.text(source, "registryType")));
                };
        return new LaunchTemplate.Command(words, command.env, null);
    }

    private List<ArgumentTemplate> npm() throws RegistryException {
        require(NPM_NAME, "npm");
        boolean usesBun = SchemaNames.text(source, "runtimeHint").equals("bunx");
        var words = words(usesBun ? "bunx" : "npx", usesBun ? "" : "-y");
        addRegistry(words, "--registry");
        words.addAll(runtimeArguments());
        words.add(ArgumentTemplate.word(name + "@" + fixedVersion()));
        words.addAll(packageArguments());
        return words;
    }

    private List<ArgumentTemplate> pypi() throws RegistryException {
        require(PYPI_NAME, "PyPI");
        int bracket = name.indexOf('[');
        String program = bracket < 0 ? name : name.substring(0, bracket);
        String requirement = name + "==" + fixedVersion();
        if (SchemaNames.text(source, "runtimeHint").equals("pipx")) {
            var words = words("pipx", "run");
            words.addAll(runtimeArguments());
            words.addAll(words("--spec", requirement, program));
            words.addAll(packageArguments());
            return words;
        }
        var words = words("uvx");
        addRegistry(words, "--default-index");
        words.addAll(runtimeArguments());
        words.addAll(words("--from", requirement, program));
        words.addAll(packageArguments());
        return words;
    }

    private List<ArgumentTemplate> nuget() throws RegistryException {
        require(NUGET_NAME, "NuGet");
        var words = words("dnx", name + "@" + fixedVersion(), "--yes");
        addRegistry(words, "--source");
        words.addAll(runtimeArguments());
        List<ArgumentTemplate> arguments = packageArguments();
        if (!arguments.isEmpty()) {
            words.add(ArgumentTemplate.word("--"));
            words.addAll(arguments);
        }
        return words;
    }

    private List<ArgumentTemplate> oci() throws RegistryException {
        String hint = SchemaNames.text(source, "runtimeHint");
        var words = words(hint.equals("podman") ? "podman" : "docker", "run", "-i", "--rm");
        words.addAll(runtimeArguments());
        // The container gets the variables of the runner by name, so that no value is in the
        // command line.
        for (String variable : env.keySet()) {
            words.add(new ArgumentTemplate("-e", ValueTemplate.literal(variable), false));
        }
        words.add(ArgumentTemplate.word(image()));
        words.addAll(packageArguments());
        return words;
    }

    /** The image with its digest, or with its tag. */
    private String image() throws RegistryException {
        String image = name;
        String host = SchemaNames.text(source, "registryBaseUrl").replaceFirst("^https?://", "");
        boolean hasHost =
                image.contains("/") && image.substring(0, image.indexOf('/')).contains(".");
        if (!host.isEmpty() && !host.startsWith("docker.io") && !hasHost) {
            image = host.replaceFirst("/+$", "") + "/" + image;
        }
        int at = image.indexOf('@');
        if (at >= 0) {
            String digest = image.substring(at + 1);
            requireImage(withoutTag(image.substring(0, at)), DIGEST.matcher(digest).matches());
            return image;
        }
        String bare = withoutTag(image);
        String tag = bare.length() < image.length() ? image.substring(bare.length() + 1) : version;
        if (tag.startsWith("sha256:")) {
            requireImage(bare, DIGEST.matcher(tag).matches());
            return bare + "@" + tag;
        }
        if (tag.isEmpty() || tag.equals("latest")) {
            throw new RegistryException(
                    "The image %s has neither a version nor a digest, so it could change"
                            .formatted(name));
        }
        requireImage(bare, TAG.matcher(tag).matches());
        return bare + ":" + tag;
    }

    private static String withoutTag(String image) {
        int colon = image.lastIndexOf(':');
        return colon > image.lastIndexOf('/') ? image.substring(0, colon) : image;
    }

    private void requireImage(String bare, boolean isFixed) throws RegistryException {
        if (!isFixed || !IMAGE.matcher(bare).matches()) {
            throw new RegistryException("'%s' is not the name of an image".formatted(name));
        }
    }

    private void require(Pattern pattern, String registry) throws RegistryException {
        if (!pattern.matcher(name).matches()) {
            throw new RegistryException(
                    "'%s' is not the name of a package of %s".formatted(name, registry));
        }
    }

    private String fixedVersion() throws RegistryException {
        if (version.isEmpty()) {
            throw new RegistryException("The package %s has no version".formatted(name));
        }
        if (!VERSION.matcher(version).matches() || RANGE.matcher(version).matches()) {
            throw new RegistryException(
                    "'%s' is not one version of the package %s".formatted(version, name));
        }
        return version;
    }

    private void addRegistry(List<ArgumentTemplate> words, String option) throws RegistryException {
        String url = SchemaNames.text(source, "registryBaseUrl").replaceFirst("/+$", "");
        if (USUAL_REGISTRIES.contains(url)) {
            return;
        }
        if (!url.matches("https://[^\\s\"'<>]+")) {
            throw new RegistryException("The package registry '%s' is not used".formatted(url));
        }
        words.addAll(words(option, url));
    }

    private List<ArgumentTemplate> runtimeArguments() throws RegistryException {
        var arguments =
                new ArrayList<>(
                        InputReader.arguments(SchemaNames.list(source, "runtimeArguments")));
        arguments.removeIf(PackageCommand::isUsual);
        return arguments;
    }

    private static boolean isUsual(ArgumentTemplate argument) {
        String flag = argument.flag();
        ValueTemplate value = argument.value();
        if (value == null) {
            return flag != null && USUAL_ARGUMENTS.contains(flag);
        }
        return flag == null
                && USUAL_ARGUMENTS.stream()
                        .anyMatch(usual -> value.equals(ValueTemplate.literal(usual)));
    }

    private List<ArgumentTemplate> packageArguments() throws RegistryException {
        return InputReader.arguments(SchemaNames.list(source, "packageArguments"));
    }

    private static List<ArgumentTemplate> words(String... texts) {
        var words = new ArrayList<ArgumentTemplate>();
        for (String text : texts) {
            if (!text.isEmpty()) {
                words.add(ArgumentTemplate.word(text));
            }
        }
        return words;
    }
}

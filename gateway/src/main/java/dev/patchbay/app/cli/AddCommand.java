package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.config.SecretDetector;
import dev.patchbay.config.edit.ConfigEditor;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code patchbay add}: adds a server to the configuration. */
@Command(
        name = "add",
        description =
                "Add a server to the configuration: a command to run, a URL, a server of the MCP"
                        + " registry, or a bundle.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "",
        customSynopsis = {
            "patchbay add ID [--env KEY=VALUE]... [--include PATTERN]... [--exclude PATTERN]..."
                    + " -- COMMAND [ARG...]",
            "patchbay add ID --url URL [--header NAME=VALUE]... [--include PATTERN]..."
                    + " [--exclude PATTERN]...",
            "patchbay add ID --url URL --card [--yes] [INPUT=VALUE]...",
            "patchbay add NAMESPACE/NAME[@VERSION] [--id ID] [--from KIND] [--yes]"
                    + " [INPUT=VALUE]...",
            "patchbay add FILE.mcpb [--id ID] [--yes] [INPUT=VALUE]..."
        })
final class AddCommand implements Callable<Integer> {
    private final AppContext context;

    @Spec private CommandSpec spec;
    @Mixin private ConfigOption config = new ConfigOption();

    @Mixin private RegistryOptions registry = new RegistryOptions();

    @Parameters(
            index = "0",
            paramLabel = "ID",
            description =
                    "The id of the server; or its name in the registry, such as"
                            + " io.github.owner/name, with @VERSION for another version than the"
                            + " latest; or the file of a bundle.")
    private String id;

    @Parameters(
            index = "1..*",
            paramLabel = "COMMAND",
            description =
                    "The command that starts the server, with its arguments; or the inputs of a"
                            + " server of the registry or of a bundle, as INPUT=VALUE. Those that"
                            + " are required and missing are asked for on a terminal.")
    private List<String> command = List.of();

    @Option(names = "--url", paramLabel = "URL", description = "The URL of the server.")
    private @Nullable String url;

    @Option(
            names = "--env",
            paramLabel = "KEY=VALUE",
            description = "Environment variable to set. Can be repeated.")
    private Map<String, String> env = new LinkedHashMap<>();

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "HTTP header to send. Can be repeated.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(
            names = "--include",
            paramLabel = "PATTERN",
            description =
                    "Offer only tools whose names match; * matches any characters. Can be"
                            + " repeated.")
    private List<String> include = ToolFilter.ALLOW_ALL.include();

    @Option(
            names = "--exclude",
            paramLabel = "PATTERN",
            description = "Hide tools whose names match. Can be repeated.")
    private List<String> exclude = List.of();

    @Option(
            names = "--store-secrets",
            description =
                    "Keep values that look like secrets in the secret store, and write references"
                            + " to them. On a terminal you are asked.")
    private boolean storeSecrets;

    @Option(
            names = "--card",
            description =
                    "Read the server card at URL/server-card (a draft, SEP-2127), and ask for the"
                            + " headers that it declares.")
    private boolean card;

    @Option(
            names = "--sandbox",
            paramLabel = "LEVEL",
            description =
                    "How far the program is confined, on Linux: none, standard or strict. Default:"
                            + " standard for a server of the registry or of a bundle where the"
                            + " machine can do that, else none.")
    private @Nullable String sandbox;

    @Option(names = "--no-try", description = "Do not start the server to see whether it works.")
    private boolean noTry;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The id of a server of the registry or of a bundle. Default: its name.")
    private @Nullable String chosenId;

    @Option(
            names = "--from",
            paramLabel = "KIND",
            description =
                    "What to use of a server of the registry: npm, pypi, oci, nuget, mcpb or"
                            + " remote. Default: a package whose runner is installed, or the"
                            + " remote.")
    private @Nullable String kind;

    @Option(
            names = "--yes",
            description =
                    "Add a server of the registry, of a bundle or with a card without asking.")
    private boolean yes;

    @Option(names = "--json", description = "Print the result as JSON. The server is not tried.")
    private boolean json;

    AddCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        boolean isBundle = RegistryAdder.isBundle(id);
        if (card || (url == null && (isBundle || id.contains("/")))) {
            return addDeclared(isBundle);
        }
        ConfigEntry plain = entry().withToolFilter(filter());
        ConfigEntry given = sandbox == null ? plain : SandboxChoice.asked(plain, sandbox);
        Path file = EditReporter.configFile(context, config.file);
        var mover = new SecretMover(context);
        boolean movesSecrets = storeSecrets || (!json && mover.isWanted(List.of(given)));
        if (!movesSecrets && SharedFiles.isShared(context, file, config.file)) {
            requireNoSecret(file, "--env", env);
            requireNoSecret(file, "--header", headers);
        }
        ConfigEntry entry = movesSecrets ? mover.withoutSecrets(given) : given;
        mover.store();
        EditResult result = new ConfigEditor(file).add(entry);
        if (result instanceof EditResult.Changed changed) {
            ConfigSource.approveWritten(context, changed.file(), List.of(entry), null);
        } else {
            mover.undo();
        }
        int code = EditReporter.of(context, json).report(result, id);
        if (result instanceof EditResult.Changed && !noTry && !json) {
            ServerTrial.run(context, file, id);
        }
        return code;
    }

    /** Adds a server that declares how it is started or reached. */
    private int addDeclared(boolean isBundle) throws IOException, InterruptedException {
        if (!env.isEmpty() || !headers.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "Write INPUT=VALUE instead of --env and --header");
        }
        if (card && url == null) {
            throw new ParameterException(spec.commandLine(), "--card needs --url URL");
        }
        Path file = EditReporter.configFile(context, config.file);
        var adder =
                new RegistryAdder(
                        context,
                        new RegistryAdder.Request(
                                url == null ? chosenId : id,
                                kind,
                                command,
                                filter(),
                                sandbox,
                                new RegistryAdder.Output(file, yes, json, !noTry && !json)));
        if (url != null) {
            return adder.addFromCard(url);
        }
        return isBundle
                ? adder.addBundle(context.environment().workingDirectory().resolve(id))
                : adder.addFromRegistry(id, registry);
    }

    /** Refuses to write a secret to a file that others may read. */
    private static void requireNoSecret(Path file, String option, Map<String, String> values) {
        values.forEach(
                (name, value) -> {
                    boolean secret =
                            SecretDetector.isSecretName(name) || SecretDetector.looksSecret(value);
                    if (secret && !value.contains("${")) {
                        String variable = name.toUpperCase(Locale.ROOT).replaceAll("\\W", "_");
                        throw new CommandFailedException(
                                ExitCode.WRONG_USAGE,
                                "Others may read %s, so the value of %s is not written. Set"
                                                .formatted(file, name)
                                        + " an environment variable and name it instead:"
                                        + " %s '%s=${%s}'".formatted(option, name, variable)
                                        + ", or keep the value in the secret store with"
                                        + " --store-secrets");
                    }
                });
    }

    private ToolFilter filter() {
        try {
            return new ToolFilter(include, exclude);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private ConfigEntry entry() {
        if (url != null && command.isEmpty()) {
            return ConfigEntry.http(id, url, headers);
        }
        if (url == null && !command.isEmpty()) {
            return ConfigEntry.stdio(id, command, env);
        }
        throw new ParameterException(
                spec.commandLine(), "Give either --url URL, or -- followed by the command to run");
    }
}

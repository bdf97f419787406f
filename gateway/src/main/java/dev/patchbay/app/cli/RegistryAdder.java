package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ConfiguredGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.config.Environment;
import dev.patchbay.config.ServerKeyMapper;
import dev.patchbay.config.edit.ConfigEditor;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.registry.BundleArchive;
import dev.patchbay.registry.BundleDownload;
import dev.patchbay.registry.BundleLimits;
import dev.patchbay.registry.BundleManifest;
import dev.patchbay.registry.DeclaredInput;
import dev.patchbay.registry.InputAnswers;
import dev.patchbay.registry.LaunchChooser;
import dev.patchbay.registry.LaunchSource;
import dev.patchbay.registry.RegistryEntry;
import dev.patchbay.registry.RegistryException;
import dev.patchbay.registry.RegistrySource;
import dev.patchbay.registry.ServerCard;
import dev.patchbay.registry.ServerPlan;
import dev.patchbay.registry.ServerPlanner;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Adds a server of the registry or of a bundle: reads what it declares, asks for values, shows what
 * would run, and writes the entry after the user has accepted it. Nothing is started before that.
 */
final class RegistryAdder {
    private final AppContext context;
    private final Request request;

    /**
     * What the user asked for.
     *
     * @param id the id of the server; null for one made of its name
     * @param kind the only kind of package; null for any
     * @param pairs the inputs, as {@code NAME=VALUE}
     * @param sandbox the level of the sandbox; null for the default
     */
    record Request(
            @Nullable String id,
            @Nullable String kind,
            List<String> pairs,
            ToolFilter filter,
            @Nullable String sandbox,
            Output output) {}

    /** Where the entry goes, how the result is shown, and whether the server is tried then. */
    record Output(Path file, boolean isAccepted, boolean json, boolean isTried) {}

    RegistryAdder(AppContext context, Request request) {
        this.context = context;
        this.request = request;
    }

    /** Whether the argument of {@code add} is the file of a bundle. */
    static boolean isBundle(String source) {
        String lower = source.toLowerCase(Locale.ROOT);
        return lower.endsWith(".mcpb") || lower.endsWith(".dxt");
    }

    /** Adds the server of a bundle. */
    int addBundle(Path file) throws IOException, InterruptedException {
        if (!Files.isRegularFile(file)) {
            throw new CommandFailedException(ExitCode.WRONG_USAGE, "No such file: " + file);
        }
        try {
            return addBundle(BundleArchive.open(file, null, BundleLimits.DEFAULTS), null);
        } catch (RegistryException e) {
            throw failed(e);
        }
    }

    /** Adds a server of the registry; the name may end with an at sign and a version. */
    int addFromRegistry(String wanted, RegistryOptions registry)
            throws IOException, InterruptedException {
        try {
            int at = wanted.indexOf('@');
            String name = at < 0 ? wanted : wanted.substring(0, at);
            if (!RegistryEntry.isName(name)) {
                throw new RegistryException("'%s' is not a name of the registry".formatted(name));
            }
            RegistrySource source = registry.open(context);
            RegistryEntry entry = source.find(name, at < 0 ? null : wanted.substring(at + 1));
            if (entry.status().equals("deleted")) {
                throw new RegistryException(name + " was deleted from the registry");
            }
            LaunchSource chosen =
                    LaunchChooser.choose(entry, request.kind(), programs()::isInstalled);
            return switch (chosen) {
                case LaunchSource.Ready(_, var template) -> {
                    InputAnswers answers = answers(template.inputs());
                    ServerPlan plan =
                            ServerPlanner.plan(
                                    id(entry.shortName()), entry.description(), template, answers);
                    yield accept(plan, AddSummary.of(entry), null);
                }
                case LaunchSource.Bundle bundle -> addDownloaded(bundle, entry);
            };
        } catch (RegistryException e) {
            throw failed(e);
        }
    }

    /** Adds a server behind a URL, with what its server card declares. */
    int addFromCard(String url) throws IOException, InterruptedException {
        try {
            ServerCard card = ServerCard.fetch(url);
            InputAnswers answers = answers(card.launch().inputs());
            RegistryEntry entry = card.entry();
            ServerPlan plan =
                    ServerPlanner.plan(
                            id(entry.shortName()), entry.description(), card.launch(), answers);
            return accept(plan, AddSummary.of(card), null);
        } catch (RegistryException e) {
            throw failed(e);
        }
    }

    private int addDownloaded(LaunchSource.Bundle bundle, RegistryEntry entry)
            throws IOException, InterruptedException, RegistryException {
        context.terminal().printMessage("Downloading " + bundle.url());
        Path file = BundleDownload.get(bundle, bundles(), BundleLimits.DEFAULTS);
        try {
            var archive = BundleArchive.open(file, bundle.sha256(), BundleLimits.DEFAULTS);
            return addBundle(archive, entry);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private int addBundle(BundleArchive archive, @Nullable RegistryEntry entry)
            throws IOException, InterruptedException, RegistryException {
        BundleManifest manifest = BundleManifest.read(archive.manifest());
        var launch =
                manifest.launch(
                        archive.folder(bundles()), context.environment(), programs()::isInstalled);
        InputAnswers answers = answers(launch.inputs());
        String name = entry == null ? manifest.name() : entry.shortName();
        ServerPlan plan = ServerPlanner.plan(id(name), manifest.description(), launch, answers);
        AddSummary summary =
                entry == null ? AddSummary.of(manifest, archive.sha256()) : AddSummary.of(entry);
        return accept(plan, summary, archive);
    }

    private InstalledPrograms programs() {
        return new InstalledPrograms(context.environment());
    }

    /** The folder of unpacked bundles. macOS may delete what is in the state folder. */
    private Path bundles() {
        Environment environment = context.environment();
        Path parent =
                environment.platform() == Environment.Platform.MACOS
                        ? environment.configDirectory()
                        : ConfiguredGateway.stateDir(context, null);
        return parent.resolve("bundles");
    }

    private String id(String name) throws RegistryException {
        if (request.id() != null) {
            return request.id();
        }
        ServerId id = ServerKeyMapper.toServerId(name);
        if (id == null || id.value().equals(ServerKeyMapper.RESERVED_ID)) {
            throw new RegistryException("The server needs another id: use --id ID");
        }
        return id.value();
    }

    /** The given values; on a terminal, those that are missing are asked for. */
    private InputAnswers answers(List<DeclaredInput> inputs) throws RegistryException {
        InputAnswers answers = InputAnswers.parse(request.pairs(), inputs);
        Optional<Console> console = context.terminal().console();
        if (console.isPresent() && !request.output().json()) {
            for (DeclaredInput input : answers.missing(inputs)) {
                ask(console.get(), input, answers);
            }
        }
        return answers;
    }

    private void ask(Console console, DeclaredInput input, InputAnswers answers)
            throws RegistryException {
        context.terminal().printMessage(AddSummary.question(input));
        String prompt = input.name() + (input.rules().isSecret() ? " (not shown): " : ": ");
        String typed;
        if (input.rules().isSecret()) {
            char[] secret = console.readPassword("%s", prompt);
            typed = secret == null ? "" : new String(secret);
        } else {
            String line = console.readLine("%s", prompt);
            typed = line == null ? "" : line.strip();
        }
        if (!typed.isEmpty()) {
            answers.add(input, typed);
        }
    }

    private int accept(ServerPlan plan, AddSummary summary, @Nullable BundleArchive bundle)
            throws IOException, InterruptedException, RegistryException {
        Path folder = bundle == null ? null : bundle.folder(bundles());
        SandboxChoice choice =
                SandboxChoice.forDeclared(
                        context,
                        plan.entry().withToolFilter(request.filter()),
                        request.sandbox(),
                        folder);
        ConfigEntry entry = choice.entry();
        summary.lines(choice, plan).forEach(context.terminal()::printMessage);
        if (!request.output().isAccepted() && !isConfirmed()) {
            throw new CommandFailedException(ExitCode.FAILED, "Nothing was added.");
        }
        boolean isNew = folder != null && !Files.exists(folder);
        if (bundle != null) {
            bundle.unpack(bundles());
        }
        var mover = new SecretMover(context);
        plan.secrets().forEach(mover::keep);
        mover.store();
        EditResult result = new ConfigEditor(request.output().file()).add(entry);
        if (result instanceof EditResult.Changed changed) {
            ConfigSource.approveWritten(context, changed.file(), List.of(entry), null);
        } else {
            mover.undo();
            if (folder != null && isNew) {
                BundleArchive.delete(folder);
            }
        }
        Output output = request.output();
        int code = EditReporter.of(context, output.json()).report(result, entry.key());
        if (result instanceof EditResult.Changed && output.isTried()) {
            ServerTrial.run(context, output.file(), entry.key());
        }
        return code;
    }

    private boolean isConfirmed() throws IOException {
        if (!context.terminal().isInteractive()) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    "There is no terminal to ask on. Review the server above, then run the command"
                            + " again with --yes.");
        }
        return Confirmation.isGiven(context, "Add this server");
    }

    private static CommandFailedException failed(RegistryException e) {
        return new CommandFailedException(ExitCode.FAILED, e.sentence() + " Nothing was added.");
    }
}

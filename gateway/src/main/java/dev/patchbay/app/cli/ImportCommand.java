package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.ImportPlan;
import dev.patchbay.config.hosts.Importer;
import dev.patchbay.config.hosts.McpHost;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** {@code patchbay import}: copies the servers of another program into the configuration. */
@Command(
        name = "import",
        description = "Copy the servers of another program into the configuration.",
        mixinStandardHelpOptions = true)
final class ImportCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "SOURCE",
            completionCandidates = HostNames.class,
            description =
                    "A host ("
                            + HostNames.LIST
                            + "), or a file with MCP servers in the format of any of them. Default:"
                            + " show the hosts on this machine.")
    private @Nullable String chosenSource;

    private String source = "";

    @Option(
            names = "--project",
            description =
                    "Import the servers of the project in this directory, too. Review them first:"
                            + " they are trusted from then on.")
    private boolean project;

    @Option(names = "--dry-run", description = "Show what would change, but change nothing.")
    private boolean dryRun;

    @Option(
            names = "--store-secrets",
            description =
                    "Keep values that look like secrets in the secret store, and write references"
                            + " to them. On a terminal you are asked.")
    private boolean storeSecrets;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    ImportCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        var locator = new ConfigLocator(context.environment());
        Path target = locator.findForImport(config.file);
        if (chosenSource == null) {
            return HostOverview.print(
                    context, target, json, "Import the servers of one: patchbay import HOST");
        }
        source = chosenSource;
        Optional<Path> replaced = locator.findReplacedByImport(config.file);
        var importer = new Importer(context.environment(), replaced.orElse(null));
        Optional<McpHost> host = McpHost.byCliName(source);
        ImportPlan plan =
                host.isPresent()
                        ? importer.plan(host.get(), scopes(), target)
                        : importer.plan(sourceFile(), target);
        if (json) {
            return applyAsJson(importer, plan);
        }
        boolean changed = applyAsText(importer, plan);
        replaced.filter(_ -> changed).ifPresent(this::printReplaced);
        return exitCode(plan);
    }

    /** A project's servers are imported only on request, because importing them trusts them. */
    private Set<Scope> scopes() {
        return project ? EnumSet.allOf(Scope.class) : EnumSet.of(Scope.USER);
    }

    private void printReplaced(Path list) {
        context.terminal()
                .print(
                        "The new file is used instead of "
                                + list
                                + " and contains its servers, too.");
    }

    /** Prints and applies the plan; returns whether the file changed. */
    private boolean applyAsText(Importer importer, ImportPlan plan) throws IOException {
        printPlan(plan);
        requireSource(plan);
        if (dryRun || plan.entries().isEmpty()) {
            context.terminal().print(dryRun ? "Nothing was changed." : "Nothing to import.");
            return false;
        }
        EditReporter.of(context, false).report(apply(importer, plan), source);
        return true;
    }

    private EditResult apply(Importer importer, ImportPlan plan) throws IOException {
        var locator = new ConfigLocator(context.environment());
        Path template = locator.findReplacedByImport(config.file).orElse(null);
        var mover = new SecretMover(context);
        boolean movesSecrets = storeSecrets || (!json && mover.isWanted(plan.entries()));
        ImportPlan written = movesSecrets ? plan.withEntries(mover::withoutSecrets) : plan;
        mover.store();
        EditResult result = importer.apply(written);
        if (result instanceof EditResult.Changed changed) {
            ConfigSource.approveWritten(context, changed.file(), written.entries(), template);
        } else {
            mover.undo();
        }
        return result;
    }

    private int applyAsJson(Importer importer, ImportPlan plan) throws IOException {
        boolean wanted = !dryRun && !plan.entries().isEmpty();
        EditResult result =
                wanted ? apply(importer, plan) : new EditResult.Unchanged(plan.target());
        context.terminal().print(ImportReportJson.toJson(plan, result).toString());
        requireSource(plan);
        return result instanceof EditResult.Refused ? ExitCode.FAILED : exitCode(plan);
    }

    /** Fails if none of the files exists. */
    private void requireSource(ImportPlan plan) {
        if (plan.sources().stream().noneMatch(ImportPlan.Source::exists)) {
            throw new CommandFailedException(ExitCode.FAILED, missingSource(plan));
        }
    }

    private String missingSource(ImportPlan plan) {
        String looked =
                plan.sources().stream()
                        .map(it -> it.file().toString())
                        .collect(Collectors.joining(", "));
        return McpHost.byCliName(source)
                .map(
                        host ->
                                host.displayName()
                                        + " has no MCP configuration here (looked in "
                                        + looked
                                        + ").")
                .orElseGet(
                        () ->
                                "No such file: %s. Give a file, or one of %s."
                                        .formatted(looked, HostNames.LIST));
    }

    /** The command fails if one of the files could not be read. */
    private static int exitCode(ImportPlan plan) {
        boolean read = plan.sources().stream().allMatch(it -> it.errors().isEmpty());
        return read ? ExitCode.OK : ExitCode.FAILED;
    }

    private Path sourceFile() {
        return context.environment().workingDirectory().resolve(source);
    }

    private void printPlan(ImportPlan plan) {
        Terminal terminal = context.terminal();
        for (ImportPlan.Source looked : plan.sources()) {
            if (looked.exists()) {
                terminal.printMessage("Read " + looked.file());
            }
            looked.errors().forEach(fault -> terminal.printMessage(looked.file() + ":" + fault));
        }
        for (ImportPlan.Row row : plan.rows()) {
            terminal.print(row.summary());
            row.notes().forEach(note -> terminal.print(terminal.dim("     " + note)));
        }
    }
}

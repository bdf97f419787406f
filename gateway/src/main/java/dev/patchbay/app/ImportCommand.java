package dev.patchbay.app;

import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.EditResult;
import dev.patchbay.config.Host;
import dev.patchbay.config.ImportPlan;
import dev.patchbay.config.Importer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code patchbay import}: takes over the servers of another program. */
@Command(
        name = "import",
        description = "Take over the servers that another program has configured.",
        mixinStandardHelpOptions = true)
final class ImportCommand implements Callable<Integer> {
    private final Context context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(
            paramLabel = "SOURCE",
            description =
                    "claude-desktop, claude-code, cursor, vscode, codex, or any file with"
                            + " mcpServers.")
    private String source;

    @Option(names = "--dry-run", description = "Show what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    ImportCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        var locator = new ConfigLocator(context.surroundings());
        Path target = locator.findForImport(config.file);
        Optional<Path> replaced = locator.findReplaced(config.file);
        var importer = new Importer(context.surroundings(), replaced.orElse(null));
        Optional<Host> host = Host.of(source);
        ImportPlan plan =
                host.isPresent()
                        ? importer.plan(host.get(), target)
                        : importer.plan(file(), target);
        if (json) {
            return applyAsJson(importer, plan);
        }
        boolean changed = applyAsText(importer, plan);
        replaced.filter(_ -> changed).ifPresent(this::tellReplaced);
        return exit(plan);
    }

    private void tellReplaced(Path list) {
        context.terminal().print("Used now in place of " + list + ", whose servers it has too.");
    }

    /** Whether something was changed. */
    private boolean applyAsText(Importer importer, ImportPlan plan) throws IOException {
        tell(plan);
        require(plan);
        if (dryRun || plan.entries().isEmpty()) {
            context.terminal().print(dryRun ? "Nothing was changed." : "Nothing to add.");
            return false;
        }
        Edits.of(context, false).tell(importer.apply(plan), source);
        return true;
    }

    private int applyAsJson(Importer importer, ImportPlan plan) throws IOException {
        boolean wanted = !dryRun && !plan.entries().isEmpty();
        EditResult result = wanted ? importer.apply(plan) : new EditResult.Unchanged(plan.target());
        context.terminal().print(ImportJson.of(plan, result).toString());
        require(plan);
        return result instanceof EditResult.Refused ? Exit.FAILED : exit(plan);
    }

    /** That there was something to read at all. */
    private void require(ImportPlan plan) {
        if (plan.sources().stream().noneMatch(ImportPlan.Source::exists)) {
            throw new CommandFailed(
                    Exit.FAILED,
                    "Nothing was found to import from %s. Give a file, or one of %s."
                            .formatted(source, HostOptions.words()));
        }
    }

    /** A file that could not be read is no success, whatever the others had. */
    private static int exit(ImportPlan plan) {
        boolean read = plan.sources().stream().allMatch(it -> it.faults().isEmpty());
        return read ? Exit.OK : Exit.FAILED;
    }

    private Path file() {
        return context.surroundings().workingDirectory().resolve(source);
    }

    private void tell(ImportPlan plan) {
        Terminal terminal = context.terminal();
        for (ImportPlan.Source looked : plan.sources()) {
            terminal.say((looked.exists() ? "Read " : "Not there: ") + looked.file());
            looked.faults().forEach(fault -> terminal.say(looked.file() + ":" + fault));
        }
        for (ImportPlan.Row row : plan.rows()) {
            terminal.print(row.summary());
            row.notes().forEach(note -> terminal.print(terminal.faint("     " + note)));
        }
    }
}

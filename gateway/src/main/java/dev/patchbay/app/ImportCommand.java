package dev.patchbay.app;

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

    ImportCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Path target = Edits.file(context, config.file);
        var importer = new Importer(context.surroundings());
        Optional<Host> host = Host.of(source);
        ImportPlan plan =
                host.isPresent()
                        ? importer.plan(host.get(), target)
                        : importer.plan(file(), target);
        if (!tell(plan)) {
            throw new CommandFailed(
                    Exit.FAILED, "Nothing was found to import from " + source + ".");
        }
        if (dryRun || plan.entries().isEmpty()) {
            context.terminal().print(dryRun ? "Nothing was changed." : "Nothing to add.");
            return Exit.OK;
        }
        EditResult result = importer.apply(plan);
        return Edits.tell(context, result, source);
    }

    private Path file() {
        return context.surroundings().workingDirectory().resolve(source);
    }

    /** Shows the plan; whether any file was there to be read. */
    private boolean tell(ImportPlan plan) {
        Terminal terminal = context.terminal();
        boolean any = false;
        for (ImportPlan.Source looked : plan.sources()) {
            any |= looked.exists();
            terminal.say((looked.exists() ? "Read " : "Not there: ") + looked.file());
            looked.faults().forEach(fault -> terminal.say(looked.file() + ":" + fault));
        }
        plan.rows().forEach(row -> terminal.print(row.toString()));
        return any;
    }
}

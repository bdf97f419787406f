package dev.patchbay.app.cli;

import dev.patchbay.app.manual.CommandReferencePage;
import dev.patchbay.app.manual.ManPage;
import dev.patchbay.app.manual.ManualEntry;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ExitCode;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/**
 * {@code patchbay manual}: prints the reference of all commands, for the guide and for packages.
 */
@Command(
        name = "manual",
        hidden = true,
        description = "Print the reference of all commands.",
        mixinStandardHelpOptions = true)
final class ManualCommand implements Callable<Integer> {
    /** The output format. */
    enum Form {
        /** The {@code man} program. */
        MAN,
        /** The guide. */
        MARKDOWN
    }

    private final AppContext context;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FORM", description = "man or markdown.")
    private Form form = Form.MAN;

    ManualCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        spec.root()
                .subcommands()
                .values()
                .forEach(it -> CommandExamples.addTo(it.getCommandSpec()));
        var entries = ManualEntry.listAll(spec.root());
        context.terminal()
                .print(
                        switch (form) {
                            case MAN -> ManPage.render(entries);
                            case MARKDOWN -> CommandReferencePage.render(entries);
                        });
        return ExitCode.OK;
    }
}

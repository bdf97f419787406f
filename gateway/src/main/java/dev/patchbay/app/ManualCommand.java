package dev.patchbay.app;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** {@code patchbay manual}: the reference of all commands, for the guide and for packages. */
@Command(
        name = "manual",
        hidden = true,
        description = "Print the reference of all commands.",
        mixinStandardHelpOptions = true)
final class ManualCommand implements Callable<Integer> {
    /** What it is made for. */
    enum Form {
        /** The {@code man} program. */
        MAN,
        /** The guide. */
        MARKDOWN
    }

    private final Context context;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FORM", description = "man or markdown.")
    private Form form = Form.MAN;

    ManualCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var entries = ManualEntry.all(spec.root());
        context.terminal()
                .print(
                        switch (form) {
                            case MAN -> ManPage.of(entries);
                            case MARKDOWN -> CommandsPage.of(entries);
                        });
        return Exit.OK;
    }
}

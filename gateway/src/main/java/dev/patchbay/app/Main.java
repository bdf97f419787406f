package dev.patchbay.app;

import dev.patchbay.app.cli.Cli;
import dev.patchbay.app.cli.ReplCommand;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.DaemonRunner;
import dev.patchbay.app.wiring.LogConfiguration;
import dev.patchbay.app.wiring.StdioGateway;
import dev.patchbay.stdio.StandardStreams;

import java.nio.file.Path;
import java.util.Locale;

/** The entry point of the program. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        // Standard output is reserved for the protocol: other output must not reach it.
        StandardStreams streams = StandardStreams.takeOver();
        // Texts are English, so numbers are formatted the same way everywhere.
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        if (args.length == 0 || !args[0].equals("stdio")) {
            LogConfiguration.install(); // loads the JDK's logging, which takes 10 ms
        }
        System.exit(run(args, streams));
    }

    /**
     * Runs a command. The commands that hosts start do not use the command-line library, for speed.
     */
    private static int run(String[] args, StandardStreams streams) throws InterruptedException {
        AppContext context = AppContext.of(streams);
        InheritedEnvironment.hide();
        if (args.length == 1 && args[0].equals("repl")) {
            return ReplCommand.serve(context);
        }
        if (args.length == 2 && args[0].equals("daemon") && args[1].equals("run")) {
            return DaemonRunner.run(context, Cli::run);
        }
        if (args.length == 0 || !args[0].equals("stdio")) {
            return Cli.run(args, context);
        }
        return serve(args, context);
    }

    /** Serves on the standard streams. Unusual arguments are left to the command-line library. */
    private static int serve(String[] args, AppContext context) throws InterruptedException {
        Path config = null;
        String view = null;
        StdioGateway.Mode mode = StdioGateway.Mode.CONFIGURED;
        for (int i = 1; i < args.length; i++) {
            if (args[i].equals("--config") && config == null && i + 1 < args.length) {
                i++;
                config = Path.of(args[i]);
            } else if (args[i].equals("--view") && view == null && i + 1 < args.length) {
                i++;
                view = args[i];
            } else if (args[i].equals("--standalone") && mode == StdioGateway.Mode.CONFIGURED) {
                mode = StdioGateway.Mode.STANDALONE;
            } else if (args[i].equals("--attach-only") && mode == StdioGateway.Mode.CONFIGURED) {
                mode = StdioGateway.Mode.ATTACH_ONLY;
            } else {
                return Cli.run(args, context);
            }
        }
        try {
            return new StdioGateway(context, config).serve(mode, view);
        } catch (CommandFailedException e) {
            context.terminal().printMessage("patchbay: " + e.getMessage());
            return e.exitCode();
        }
    }
}

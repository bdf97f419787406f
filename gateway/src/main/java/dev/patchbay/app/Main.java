package dev.patchbay.app;

import dev.patchbay.app.cli.Cli;
import dev.patchbay.app.cli.ReplCommand;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ConfiguredGateway;
import dev.patchbay.app.wiring.LogConfiguration;
import dev.patchbay.stdio.StandardStreams;

import org.jspecify.annotations.Nullable;

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
        if (args.length == 0 || !args[0].equals("stdio")) {
            return Cli.run(args, context);
        }
        if (args.length == 1) {
            return serve(context, null);
        }
        boolean chosen = args.length == 3 && args[1].equals("--config");
        return chosen ? serve(context, Path.of(args[2])) : Cli.run(args, context);
    }

    private static int serve(AppContext context, @Nullable Path config)
            throws InterruptedException {
        try {
            return ConfiguredGateway.serveStdio(context, config);
        } catch (CommandFailedException e) {
            context.terminal().printMessage("patchbay: " + e.getMessage());
            return e.exitCode();
        }
    }
}

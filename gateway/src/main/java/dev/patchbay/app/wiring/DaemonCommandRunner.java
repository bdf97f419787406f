package dev.patchbay.app.wiring;

import dev.patchbay.config.Environment.Platform;
import dev.patchbay.daemon.CommandEvent;
import dev.patchbay.daemon.CommandOutcome;
import dev.patchbay.daemon.DaemonRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** Runs commands in the user's daemon, if that has a gateway for their configuration. */
public final class DaemonCommandRunner {
    private final AppContext context;

    public DaemonCommandRunner(AppContext context) {
        this.context = context;
    }

    /**
     * Runs a command in the daemon and prints what it prints.
     *
     * @param chosen the configuration that the user named; null to search for one
     * @param arguments the command line
     * @param isRepeatable whether the command may run again if the daemon ends in the middle of it
     * @return the exit code; empty if the command has to run in this process
     */
    public OptionalInt run(@Nullable Path chosen, List<String> arguments, boolean isRepeatable) {
        if (context.environment().platform() == Platform.WINDOWS
                || StdioGateway.isSwitchedOff(context)
                || !Files.exists(DaemonRunner.files(context).socket())) {
            return OptionalInt.empty();
        }
        Terminal terminal = context.terminal();
        var request =
                new DaemonRequest.Run(
                        DaemonRunner.build(),
                        DaemonRunner.clientStart(context, chosen),
                        arguments,
                        terminal.isInteractive(),
                        terminal.width());
        try {
            return switch (DaemonRunner.connector(context).run(request, receiver())) {
                case CommandOutcome.NotRun _ -> OptionalInt.empty();
                case CommandOutcome.Ended(int exitCode) -> OptionalInt.of(exitCode);
                case CommandOutcome.Lost(boolean hasOutput) ->
                        isRepeatable && !hasOutput ? OptionalInt.empty() : onLost(isRepeatable);
            };
        } catch (IOException _) {
            return OptionalInt.empty(); // stdio and doctor say what is wrong with the directory
        }
    }

    private CommandEvent.Receiver receiver() {
        Terminal terminal = context.terminal();
        return new CommandEvent.Receiver() {
            @Override
            public void output(String text) {
                terminal.passOn(text);
            }

            @Override
            public void message(String text) {
                terminal.passOnMessage(text);
            }
        };
    }

    private OptionalInt onLost(boolean isRepeatable) {
        String end = "patchbay: The background gateway ended before the command did.";
        context.terminal()
                .printMessage(
                        isRepeatable
                                ? end + " Run the command again."
                                : end + " It is not known whether the tool was executed.");
        return OptionalInt.of(ExitCode.FAILED);
    }
}

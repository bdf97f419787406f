package dev.patchbay.app.cli;

import dev.patchbay.app.Main;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.StdioGateway;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code patchbay stdio}: for help and completion; {@link Main} runs the usual forms directly. */
@Command(
        name = "stdio",
        description = "Serve MCP on standard input and output until the input ends.",
        mixinStandardHelpOptions = true)
final class StdioCommand implements Callable<Integer> {
    private final AppContext context;

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration to use.")
    private @Nullable Path config;

    @Option(
            names = "--standalone",
            description = "Do not use the background gateway, whatever the configuration says.")
    private boolean standalone;

    @Option(names = "--attach-only", description = "Fail if the background gateway cannot be used.")
    private boolean attachOnly;

    @Option(
            names = "--view",
            paramLabel = "NAME",
            description = "Serve a view of the configuration instead of all tools.")
    private @Nullable String view;

    StdioCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (standalone && attachOnly) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE, "Use either --standalone or --attach-only.");
        }
        StdioGateway.Mode mode =
                standalone
                        ? StdioGateway.Mode.STANDALONE
                        : attachOnly ? StdioGateway.Mode.ATTACH_ONLY : StdioGateway.Mode.CONFIGURED;
        return new StdioGateway(context, config).serve(mode, view);
    }
}

package dev.patchbay.app.cli;

import dev.patchbay.app.Main;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ConfiguredGateway;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code patchbay stdio}: for help and completion; {@link Main} runs the plain form directly. */
@Command(
        name = "stdio",
        description = "Serve MCP on standard input and output until the input ends.",
        mixinStandardHelpOptions = true)
final class StdioCommand implements Callable<Integer> {
    private final AppContext context;

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration to use.")
    private @Nullable Path config;

    StdioCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        return ConfiguredGateway.serveStdio(context, config);
    }
}

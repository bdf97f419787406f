package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ConfiguredGateway;
import dev.patchbay.app.wiring.HttpServerRunner;
import dev.patchbay.config.ListenAddress;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** {@code patchbay serve}: MCP over Streamable HTTP, until the process is told to end. */
@Command(
        name = "serve",
        description = "Serve MCP over Streamable HTTP at /mcp.",
        mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    private final AppContext context;

    @Spec private CommandSpec spec;
    @Mixin private ConfigOption config = new ConfigOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen; 127.0.0.1:8808 if the configuration does not say.")
    private @Nullable String listen;

    ServeCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        ListenAddress chosen =
                listen == null
                        ? null
                        : ListenAddress.parse(listen)
                                .orElseThrow(
                                        () ->
                                                new ParameterException(
                                                        spec.commandLine(),
                                                        "'" + listen + "' is no HOST:PORT"));
        try (ConfiguredGateway workspace = ConfiguredGateway.open(context, config.file)) {
            return new HttpServerRunner(context, workspace, chosen).serve();
        }
    }
}

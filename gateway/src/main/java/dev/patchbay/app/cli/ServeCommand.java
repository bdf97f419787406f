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

/** {@code patchbay serve}: serves MCP over Streamable HTTP until the process is terminated. */
@Command(
        name = "serve",
        description = "Serve MCP over Streamable HTTP at /mcp, and the dashboard at /.",
        mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    private final AppContext context;

    @Spec private CommandSpec spec;
    @Mixin private ConfigOption config = new ConfigOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "The address to listen on. Default: the one in the configuration, or"
                            + " 127.0.0.1:8808.")
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
                                                        "'" + listen + "' is not HOST:PORT"));
        try (ConfiguredGateway configured = ConfiguredGateway.open(context, config.file)) {
            return new HttpServerRunner(context, configured, chosen).serve();
        }
    }
}

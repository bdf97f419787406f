package dev.patchbay.app;

import dev.patchbay.config.Listen;

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
    private final Context context;

    @Spec private CommandSpec spec;
    @Mixin private ConfigOption config = new ConfigOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen; 127.0.0.1:8808 if the configuration does not say.")
    private @Nullable String listen;

    ServeCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Listen chosen =
                listen == null
                        ? null
                        : Listen.parse(listen)
                                .orElseThrow(
                                        () ->
                                                new ParameterException(
                                                        spec.commandLine(),
                                                        "'" + listen + "' is no HOST:PORT"));
        try (Workspace workspace = Workspace.open(context, config.file)) {
            return new HttpServing(context, workspace, chosen).serve();
        }
    }
}

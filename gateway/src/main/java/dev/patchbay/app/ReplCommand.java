package dev.patchbay.app;

import dev.patchbay.config.Settings;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.repl.ReplService;

import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** {@code patchbay repl}: for help and completion; {@link Main} runs the plain form by itself. */
@Command(
        name = "repl",
        description = "Serve a live Java session as an MCP server on standard input and output.",
        mixinStandardHelpOptions = true)
final class ReplCommand implements Callable<Integer> {
    private final Context context;

    ReplCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        return serve(context);
    }

    /** Serves until the input ends. */
    static int serve(Context context) throws InterruptedException {
        var identity = new Implementation("patchbay-java", Product.version());
        try (var service = ReplService.create(identity)) {
            return new StdioServing(
                            service, context.streams(), Settings.DEFAULTS.limits(), service::close)
                    .serve();
        }
    }
}

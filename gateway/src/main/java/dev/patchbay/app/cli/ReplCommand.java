package dev.patchbay.app.cli;

import dev.patchbay.app.Main;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ProductInfo;
import dev.patchbay.app.wiring.ReplLoader;
import dev.patchbay.app.wiring.StdioServerRunner;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.mcp.Implementation;

import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** {@code patchbay repl}: for help and completion; {@link Main} runs the plain form directly. */
@Command(
        name = "repl",
        description = "Run the built-in Java REPL as an MCP server on standard input and output.",
        mixinStandardHelpOptions = true)
public final class ReplCommand implements Callable<Integer> {
    private final AppContext context;

    ReplCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        return serve(context);
    }

    /** Serves until the input ends. */
    public static int serve(AppContext context) throws InterruptedException {
        var identity = new Implementation("patchbay-java", ProductInfo.version());
        try (var service = ReplLoader.create(identity)) {
            return new StdioServerRunner(
                            service,
                            context.streams(),
                            PatchbaySettings.DEFAULTS.limits(),
                            service::close)
                    .serve();
        }
    }
}

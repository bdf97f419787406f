package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.json.JsonWriter;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code patchbay logout}: forgets the sign-in to a server. */
@Command(
        name = "logout",
        description = "Forget the sign-in to a server, its tokens and its registration.",
        mixinStandardHelpOptions = true)
final class LogoutCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(paramLabel = "ID", description = "The name of the server.")
    private String id;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    LogoutCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        boolean changed = LoginTargetResolver.resolve(context, config.file, id).forget();
        var writer = new JsonWriter().beginObject().member("serverId", id);
        String object = writer.member("changed", changed).endObject().toJson().toString();
        String line = changed ? "Signed out of " + id : "Nobody was signed in to " + id;
        context.terminal().print(json ? object : line);
        return ExitCode.OK;
    }
}

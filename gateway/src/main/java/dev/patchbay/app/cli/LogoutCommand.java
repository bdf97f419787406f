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

/** {@code patchbay logout}: deletes the tokens and the registration of a server. */
@Command(
        name = "logout",
        description = "Sign out of a server: delete its tokens and its client registration.",
        mixinStandardHelpOptions = true)
final class LogoutCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(paramLabel = "ID", description = "The name of the server.")
    private String id;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    LogoutCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        boolean changed = LoginTargetResolver.resolve(context, config.file, id).forget();
        var writer = new JsonWriter().beginObject().member("serverId", id);
        String object = writer.member("changed", changed).endObject().toJson().toString();
        String line = changed ? "Signed out of " + id : "Not signed in to " + id;
        context.terminal().print(json ? object : line);
        return ExitCode.OK;
    }
}

package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.oauth.LoginFlow.LogoutResult;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code patchbay logout}: revokes and deletes the tokens of a server. */
@Command(
        name = "logout",
        description =
                "Sign out of a server: delete its tokens and its client registration, and ask its"
                        + " authorization server to revoke the tokens.",
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
    public Integer call() throws IOException, InterruptedException {
        LogoutResult result = LoginTargetResolver.resolve(context, config.file, id).logOut();
        var writer = new JsonWriter().beginObject().member("serverId", id);
        writer.member("changed", result.wasSignedIn()).member("revoked", result.isRevoked());
        context.terminal().print(json ? writer.endObject().toJson().toString() : describe(result));
        return ExitCode.OK;
    }

    private String describe(LogoutResult result) {
        if (!result.wasSignedIn()) {
            return "Not signed in to " + id;
        }
        return result.problem().isEmpty()
                ? "Signed out of " + id
                : "Signed out of %s. The tokens were deleted here, but not revoked: %s"
                        .formatted(id, result.problem());
    }
}

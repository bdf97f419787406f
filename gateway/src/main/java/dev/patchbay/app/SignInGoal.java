package dev.patchbay.app;

import dev.patchbay.config.ConfigFile;
import dev.patchbay.config.ConfigReader;
import dev.patchbay.oauth.Login;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.InstantSource;

/** Finds the server that somebody wants to sign in to, or out of. */
final class SignInGoal {
    private SignInGoal() {}

    static Login of(Context context, @Nullable Path chosen, String id) {
        Path file = Workspace.require(context, chosen);
        ConfigFile read = new ConfigReader(context.surroundings().environment()).read(file);
        if (!(read instanceof ConfigFile.Valid(var configuration, _))) {
            throw new CommandFailed(
                    Exit.WRONG_USAGE, file + " has faults. Mend them: patchbay check");
        }
        ServerSpec spec =
                configuration.servers().stream()
                        .filter(it -> it.id().value().equals(id))
                        .findFirst()
                        .orElseThrow(
                                () -> failed("There is no server " + id + " in " + file + "."));
        String stateDir = configuration.settings().stateDir();
        return new Login(goal(spec), Workspace.stateDir(context, stateDir), InstantSource.system());
    }

    private static Login.Goal goal(ServerSpec spec) {
        String id = spec.id().value();
        Login.Goal goal =
                switch (spec.transport()) {
                    case Transport.Http(var url, var headers, var signIn) ->
                            new Login.Goal(spec.id(), url, headers, signIn);
                    case Transport.Sse(var url, var headers, var signIn) ->
                            new Login.Goal(spec.id(), url, headers, signIn);
                    case Transport.Stdio _ ->
                            throw failed(
                                    "Server "
                                            + id
                                            + " is a program; only servers with a url"
                                            + " are signed in to.");
                    case Transport.Unset unset ->
                            throw failed("Server " + id + ": " + unset.problem());
                };
        if (goal.headers().keySet().stream().anyMatch("authorization"::equalsIgnoreCase)) {
            throw failed(
                    "Server %s has an Authorization under headers, which is what it is shown."
                                    .formatted(id)
                            + " Remove it to sign in instead.");
        }
        return goal;
    }

    private static CommandFailed failed(String line) {
        return new CommandFailed(Exit.FAILED, line);
    }
}

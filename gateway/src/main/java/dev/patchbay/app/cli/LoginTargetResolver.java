package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ConfiguredGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.SecretVaults;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.oauth.LoginFlow;
import dev.patchbay.server.ConfiguredValues;
import dev.patchbay.server.SecretMissingException;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/** Finds the server to sign in to, or to sign out of. */
final class LoginTargetResolver {
    private LoginTargetResolver() {}

    static LoginFlow resolve(AppContext context, @Nullable Path chosen, String id) {
        ConfigSource source = ConfigSource.require(context, chosen);
        Path file = source.file().orElseThrow();
        ConfigReadResult read = source.read();
        if (!(read instanceof ConfigReadResult.Valid(var configuration, _))) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE, file + " has errors. See: patchbay check");
        }
        ServerSpec spec =
                configuration.servers().stream()
                        .filter(it -> it.id().value().equals(id))
                        .findFirst()
                        .orElseThrow(() -> failure(UnknownServerText.of(id, file, configuration)));
        String stateDir = configuration.settings().stateDir();
        return new LoginFlow(
                targetOf(context, spec),
                ConfiguredGateway.stateDir(context, stateDir),
                InstantSource.system());
    }

    private static LoginFlow.LoginTarget targetOf(AppContext context, ServerSpec spec) {
        String id = spec.id().value();
        LoginFlow.LoginTarget target =
                switch (spec.transport()) {
                    case Transport.Http(var url, var headers, var signIn) ->
                            new LoginFlow.LoginTarget(
                                    spec.id(), url, resolve(context, id, headers), signIn);
                    case Transport.Sse(var url, var headers, var signIn) ->
                            new LoginFlow.LoginTarget(
                                    spec.id(), url, resolve(context, id, headers), signIn);
                    case Transport.Stdio _ ->
                            throw failure("\"" + id + "\" runs locally and needs no sign-in.");
                    case Transport.MissingVariables unset ->
                            throw failure("Server " + id + ": " + unset.problem());
                    case Transport.NotTrusted untrusted ->
                            throw failure(
                                    "Server " + id + " is not trusted: " + untrusted.problem());
                    case Transport.Invalid invalid ->
                            throw failure(
                                    "The configuration of server "
                                            + id
                                            + " is invalid: "
                                            + invalid.problem());
                };
        if (target.headers().keySet().stream().anyMatch("authorization"::equalsIgnoreCase)) {
            throw failure(
                    "Server %s has a configured Authorization header, which is used instead."
                                    .formatted(id)
                            + " Remove that header to sign in.");
        }
        return target;
    }

    private static Map<String, String> resolve(
            AppContext context, String id, ConfiguredValues headers) {
        try {
            return headers.resolve(SecretVaults.lookup(context.environment())).values();
        } catch (SecretMissingException e) {
            throw failure("Server " + id + ": " + e.getMessage());
        }
    }

    private static CommandFailedException failure(String line) {
        return new CommandFailedException(ExitCode.FAILED, line);
    }
}

package dev.patchbay.gateway;

import dev.patchbay.catalog.FullName;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.schema.Violation;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The result of a request to a server. */
public sealed interface CallResult {
    /** The server answered; the result is unchanged and may report an error itself. */
    record Answered(ServerId server, Json result) implements CallResult {}

    /** The server answered with a JSON-RPC error, which is unchanged. */
    record ServerError(ServerId server, RpcError error) implements CallResult {}

    /** The server could not be reached, did not answer, or sent an invalid response. */
    record Failed(ServerId server, ServerFailure failure) implements CallResult {}

    /**
     * The arguments are invalid; nothing was sent.
     *
     * @param violations the violations; empty if they could not be determined
     * @param message the complete message
     */
    record InvalidArguments(ServerId server, List<Violation> violations, String message)
            implements CallResult {
        public InvalidArguments {
            violations = List.copyOf(violations);
        }
    }

    /**
     * The request is not valid or its target does not exist; nothing was sent.
     *
     * @param server the server, if one was named
     * @param candidates the full names among which the client must choose
     */
    record Rejected(
            ErrorReason reason,
            String message,
            @Nullable ServerId server,
            List<FullName> candidates)
            implements CallResult {
        public Rejected {
            candidates = List.copyOf(candidates);
        }

        static Rejected of(ErrorReason reason, String message) {
            return new Rejected(reason, message, null, List.of());
        }
    }
}

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

/** How something a client wanted of a server ended. */
public sealed interface CallResult {
    /** The server answered; the result is as it wrote it, and may itself tell of an error. */
    record Answered(ServerId server, Json result) implements CallResult {}

    /** The server answered with an error of JSON-RPC; it is as the server wrote it. */
    record ServerError(ServerId server, RpcError error) implements CallResult {}

    /** The server could not be reached, or did not answer, or not in a way that can be used. */
    record Failed(ServerId server, ServerFailure failure) implements CallResult {}

    /**
     * The arguments do not fit the tool's schema; nothing was sent.
     *
     * @param violations what is wrong with them; empty if that could not be found out
     * @param message all of it in words
     */
    record InvalidArguments(ServerId server, List<Violation> violations, String message)
            implements CallResult {
        public InvalidArguments {
            violations = List.copyOf(violations);
        }
    }

    /**
     * What was wanted does not exist or cannot be told; nothing was sent.
     *
     * @param server the server it would be of, where one is meant
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

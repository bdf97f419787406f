package dev.patchbay.gateway;

import dev.patchbay.catalog.FullName;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Reason;
import dev.patchbay.schema.Violation;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.Trouble;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** How something a client wanted of a server ended. */
public sealed interface Reply {
    /** The server answered; the result is as it wrote it, and may itself tell of an error. */
    record Answered(ServerId server, Json result) implements Reply {}

    /** The server answered with an error of JSON-RPC; it is as the server wrote it. */
    record Refused(ServerId server, RpcError error) implements Reply {}

    /** The server could not be reached, or did not answer, or not in a way that can be used. */
    record Failed(ServerId server, Trouble trouble) implements Reply {}

    /**
     * The arguments do not fit the tool's schema; nothing was sent.
     *
     * @param violations what is wrong with them; empty if that could not be found out
     * @param message all of it in words
     */
    record Unfit(ServerId server, List<Violation> violations, String message) implements Reply {
        public Unfit {
            violations = List.copyOf(violations);
        }
    }

    /**
     * What was wanted does not exist or cannot be told; nothing was sent.
     *
     * @param server the server it would be of, where one is meant
     * @param candidates the full names among which the client must choose
     */
    record Unresolved(
            Reason reason, String message, @Nullable ServerId server, List<FullName> candidates)
            implements Reply {
        public Unresolved {
            candidates = List.copyOf(candidates);
        }

        static Unresolved of(Reason reason, String message) {
            return new Unresolved(reason, message, null, List.of());
        }
    }
}

package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Method;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The calls of modern clients whose legacy servers wait for something from the client. The client
 * holds a state that leads back to its call: a random word, good for one use, for the same client
 * and the same request, for a time.
 */
final class ParkedCalls {
    static final Duration KEPT = Duration.ofMinutes(10);

    private static final int PARKED_MAX = 1_000;
    private static final String PREFIX = "patchbay-";
    private static final int STATE_BYTES = 24;

    private final ConcurrentMap<String, Parked> byState = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();

    /** Who asks for what; a call goes on only for the same. */
    record Origin(
            String principal, Method method, @Nullable Json target, @Nullable Json arguments) {
        static Origin of(Method method, Json params, Caller caller) {
            Json target = params.member(method == Method.RESOURCES_READ ? "uri" : "name");
            return new Origin(caller.principal(), method, target, params.member("arguments"));
        }
    }

    /** Keeps a call for a client that will come back; the state that it must bring. */
    String park(Parked call) {
        forgetOld();
        if (byState.size() >= PARKED_MAX) {
            throw new RpcException(
                    RpcError.of(
                            RpcError.INTERNAL_ERROR,
                            "Too many calls wait for input",
                            "OVERLOADED"));
        }
        byte[] bytes = new byte[STATE_BYTES];
        random.nextBytes(bytes);
        String state = PREFIX + HexFormat.of().formatHex(bytes);
        byState.put(state, call);
        return state;
    }

    /** The call that a request goes on with; null if it is a request of its own. */
    @Nullable Parked take(Json params, Origin origin) {
        String state = params.memberText("requestState");
        if (state == null || !state.startsWith(PREFIX)) {
            return null; // a modern server's own state passes through
        }
        Parked call = byState.get(state);
        if (call == null || !call.origin().equals(origin) || !byState.remove(state, call)) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS, "Invalid params: requestState is unknown or used up");
        }
        return call;
    }

    private void forgetOld() {
        long now = System.nanoTime();
        byState.values().removeIf(call -> call.isOld(now));
    }
}

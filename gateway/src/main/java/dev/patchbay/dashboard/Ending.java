package dev.patchbay.dashboard;

import dev.patchbay.gateway.Reply;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * A way in which a call can end, with a number to count it by. Besides the four that are named here
 * there is one for every {@link Reason}.
 */
record Ending(int index, String text) {
    static final Ending OK = new Ending(0, "ok");

    /** The tool ran and says that it failed. */
    static final Ending TOOL_ERROR = new Ending(1, "tool_error");

    /** The server answered with an error of JSON-RPC. */
    static final Ending RPC_ERROR = new Ending(2, "rpc_error");

    /** The client did not wait for it any more. */
    static final Ending CANCELLED = new Ending(3, "cancelled");

    private static final Map<Reason, Ending> BY_REASON = byReason();

    static final List<Ending> ALL = all();

    private static Map<Reason, Ending> byReason() {
        var endings = new EnumMap<Reason, Ending>(Reason.class);
        for (Reason reason : Reason.values()) {
            int index = CANCELLED.index + 1 + endings.size();
            endings.put(reason, new Ending(index, reason.name().toLowerCase(Locale.ROOT)));
        }
        return endings;
    }

    private static List<Ending> all() {
        var all = new ArrayList<>(List.of(OK, TOOL_ERROR, RPC_ERROR, CANCELLED));
        all.addAll(BY_REASON.values());
        return List.copyOf(all);
    }

    static Ending of(@Nullable Reply reply) {
        return switch (reply) {
            case null -> CANCELLED;
            case Reply.Answered(_, Json result) -> isError(result) ? TOOL_ERROR : OK;
            case Reply.Refused _ -> RPC_ERROR;
            case Reply.Failed failed -> of(failed.trouble().reason());
            case Reply.Unfit _ -> of(Reason.INVALID_ARGUMENTS);
            case Reply.Unresolved unresolved -> of(unresolved.reason());
        };
    }

    private static Ending of(Reason reason) {
        return Objects.requireNonNull(BY_REASON.get(reason));
    }

    private static boolean isError(Json result) {
        Json flag = result.member("isError");
        return flag != null && flag.isTrue();
    }

    /** Whether something went wrong; that a client gave up is nobody's fault. */
    boolean isError() {
        return index != OK.index && index != CANCELLED.index;
    }

    /** Whether the server itself answered. */
    static boolean isAnswered(@Nullable Reply reply) {
        return reply instanceof Reply.Answered || reply instanceof Reply.Refused;
    }

    /** Whether the time it took is the server's: it was sent, and somebody waited to the end. */
    static boolean isTimed(@Nullable Reply reply) {
        return isAnswered(reply)
                || (reply instanceof Reply.Failed failed
                        && failed.trouble().execution() != Execution.NOT_SENT);
    }
}

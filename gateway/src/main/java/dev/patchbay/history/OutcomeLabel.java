package dev.patchbay.history;

import dev.patchbay.gateway.CallResult;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The outcome of a call as it is counted and shown: one of the four constants, or the name of an
 * {@link ErrorReason}.
 */
public record OutcomeLabel(int index, String text) {
    public static final OutcomeLabel OK = new OutcomeLabel(0, "ok");

    /** The tool returned an error. */
    public static final OutcomeLabel TOOL_ERROR = new OutcomeLabel(1, "tool_error");

    /** The server answered with a JSON-RPC error. */
    public static final OutcomeLabel RPC_ERROR = new OutcomeLabel(2, "rpc_error");

    /** The client cancelled the call. */
    public static final OutcomeLabel CANCELLED = new OutcomeLabel(3, "cancelled");

    private static final Map<ErrorReason, OutcomeLabel> BY_REASON = byReason();

    public static final List<OutcomeLabel> ALL = all();

    private static Map<ErrorReason, OutcomeLabel> byReason() {
        var endings = new EnumMap<ErrorReason, OutcomeLabel>(ErrorReason.class);
        for (ErrorReason reason : ErrorReason.values()) {
            int index = CANCELLED.index + 1 + endings.size();
            endings.put(reason, new OutcomeLabel(index, reason.name().toLowerCase(Locale.ROOT)));
        }
        return endings;
    }

    private static List<OutcomeLabel> all() {
        var all = new ArrayList<>(List.of(OK, TOOL_ERROR, RPC_ERROR, CANCELLED));
        all.addAll(BY_REASON.values());
        return List.copyOf(all);
    }

    public static OutcomeLabel of(@Nullable CallResult reply) {
        return switch (reply) {
            case null -> CANCELLED;
            case CallResult.Answered(_, Json result) -> isError(result) ? TOOL_ERROR : OK;
            case CallResult.ServerError _ -> RPC_ERROR;
            case CallResult.Failed failed -> of(failed.failure().reason());
            case CallResult.InvalidArguments _ -> of(ErrorReason.INVALID_ARGUMENTS);
            case CallResult.Rejected unresolved -> of(unresolved.reason());
        };
    }

    private static OutcomeLabel of(ErrorReason reason) {
        return Objects.requireNonNull(BY_REASON.get(reason));
    }

    private static boolean isError(Json result) {
        Json flag = result.member("isError");
        return flag != null && flag.isTrue();
    }

    /** Whether the call failed; a cancelled call did not. */
    public boolean isError() {
        return index != OK.index && index != CANCELLED.index;
    }

    /** Whether the server answered. */
    public static boolean isAnswered(@Nullable CallResult reply) {
        return reply instanceof CallResult.Answered || reply instanceof CallResult.ServerError;
    }

    /** Whether the duration counts as latency: the call was sent and not cancelled. */
    public static boolean isLatencyMeasured(@Nullable CallResult reply) {
        return isAnswered(reply)
                || (reply instanceof CallResult.Failed failed
                        && failed.failure().execution() != ExecutionStatus.NOT_SENT);
    }
}

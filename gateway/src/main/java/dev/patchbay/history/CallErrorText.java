package dev.patchbay.history;

import dev.patchbay.gateway.CallResult;
import dev.patchbay.jsonrpc.RpcError;

import org.jspecify.annotations.Nullable;

/** The error messages of calls. */
public final class CallErrorText {
    private CallErrorText() {}

    /** The error message of a call, of limited length; null if the call has none. */
    public static @Nullable String of(@Nullable CallResult reply, int charsMax) {
        String message = message(reply);
        return message == null ? null : truncate(message, charsMax);
    }

    private static @Nullable String message(@Nullable CallResult reply) {
        return switch (reply) {
            case null -> null;
            case CallResult.Answered _ -> null;
            case CallResult.ServerError(_, RpcError error) -> error.code() + " " + error.message();
            case CallResult.Failed failed -> failed.failure().message();
            case CallResult.InvalidArguments unfit -> unfit.message();
            case CallResult.Rejected unresolved -> unresolved.message();
        };
    }

    /** The start of a text, with an ellipsis if some of it is missing. */
    public static String truncate(String text, int charsMax) {
        return text.length() <= charsMax ? text : text.substring(0, charsMax) + "…";
    }
}

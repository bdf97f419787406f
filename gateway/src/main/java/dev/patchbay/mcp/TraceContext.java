package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;

import org.jspecify.annotations.Nullable;

/**
 * The W3C trace context of a message. It is in members of {@code _meta}, and over HTTP in headers
 * of the same names. Values that are not valid are treated as absent.
 *
 * @param traceparent the span that caused the message; null if there is only baggage
 * @param tracestate what vendors add to the span; null without a span
 */
public record TraceContext(
        @Nullable String traceparent, @Nullable String tracestate, @Nullable String baggage) {
    public static final String TRACEPARENT = "traceparent";
    public static final String TRACESTATE = "tracestate";
    public static final String BAGGAGE = "baggage";

    private static final int TRACEPARENT_CHARS = 55;
    private static final int TRACESTATE_CHARS_MAX = 512;
    private static final int BAGGAGE_CHARS_MAX = 8_192;

    /** A span that is recorded. */
    public record SpanIds(String traceId, String spanId) {}

    /** The context of these values; null if none of them is valid. */
    public static @Nullable TraceContext of(
            @Nullable String traceparent, @Nullable String tracestate, @Nullable String baggage) {
        String parent = isTraceparent(traceparent) ? traceparent : null;
        String state =
                parent != null && isPrintable(tracestate, TRACESTATE_CHARS_MAX) ? tracestate : null;
        String items = isPrintable(baggage, BAGGAGE_CHARS_MAX) ? baggage : null;
        return parent == null && items == null ? null : new TraceContext(parent, state, items);
    }

    /** The context in the params of a message; null if there is none. */
    public static @Nullable TraceContext in(@Nullable Json params) {
        Json meta = params == null ? null : params.member(MetaKeys.META);
        return meta == null
                ? null
                : of(
                        meta.memberText(TRACEPARENT),
                        meta.memberText(TRACESTATE),
                        meta.memberText(BAGGAGE));
    }

    /** The params with this context in their {@code _meta}, in place of the one there. */
    public Json addTo(Json params) {
        Json meta = params.member(MetaKeys.META);
        if (meta != null && !meta.isObject()) {
            return params;
        }
        Json changed = meta == null ? Json.EMPTY_OBJECT : meta;
        changed = replace(changed, TRACEPARENT, traceparent);
        changed = replace(changed, TRACESTATE, tracestate);
        changed = replace(changed, BAGGAGE, baggage);
        return MemberPatch.with(params, MetaKeys.META, changed);
    }

    private static Json replace(Json meta, String name, @Nullable String value) {
        return value == null
                ? MemberPatch.without(meta, name)
                : MemberPatch.with(meta, name, Json.string(value));
    }

    /** The span that caused the message; null if there is none or it is not recorded. */
    public @Nullable SpanIds recordedSpan() {
        String parent = traceparent;
        if (parent == null || (Character.digit(parent.charAt(54), 16) & 1) == 0) {
            return null;
        }
        return new SpanIds(parent.substring(3, 35), parent.substring(36, 52));
    }

    private static boolean isTraceparent(@Nullable String text) {
        if (text == null || text.length() < TRACEPARENT_CHARS) {
            return false;
        }
        boolean first = text.startsWith("00-");
        return (first ? text.length() == TRACEPARENT_CHARS : isPrintable(text, 256))
                && !text.startsWith("ff")
                && isHex(text, 0, 2)
                && isId(text, 3, 35)
                && isId(text, 36, 52)
                && isHex(text, 53, TRACEPARENT_CHARS)
                && (text.length() == TRACEPARENT_CHARS || text.charAt(TRACEPARENT_CHARS) == '-')
                && text.charAt(2) == '-'
                && text.charAt(35) == '-'
                && text.charAt(52) == '-';
    }

    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            boolean isDigit = c >= '0' && c <= '9';
            boolean isLetter = c >= 'a' && c <= 'f';
            if (!isDigit && !isLetter) {
                return false;
            }
        }
        return true;
    }

    /** Whether the range is hexadecimal and not zero. */
    private static boolean isId(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '0') {
                return isHex(text, from, to);
            }
        }
        return false;
    }

    /** Whether the text can be a header. */
    private static boolean isPrintable(@Nullable String text, int charsMax) {
        if (text == null || text.isEmpty() || text.length() > charsMax) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }
}

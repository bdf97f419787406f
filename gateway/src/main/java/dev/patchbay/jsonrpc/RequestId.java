package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * The id of a request. A response repeats it as it was written. Two ids are equal if they have the
 * same type and value, so {@code "7"} and {@code 7} are different ids.
 */
public final class RequestId {
    /** The null id, for a response to a request whose id could not be read. */
    public static final RequestId UNKNOWN = new RequestId(Json.NULL, "null");

    private final Json json;
    private final String canonical;

    private RequestId(Json written, String key) {
        this.json = written;
        this.canonical = key;
    }

    public static RequestId of(long number) {
        Json written = Json.number(number);
        return new RequestId(written, written.toString());
    }

    /** The id with a value; null if the value is neither a string nor a whole number. */
    public static @Nullable RequestId of(Json written) {
        return switch (written.kind()) {
            case STRING -> new RequestId(written, '"' + written.text());
            case NUMBER -> ofNumber(written);
            case OBJECT, ARRAY, BOOLEAN, NULL -> null;
        };
    }

    private static @Nullable RequestId ofNumber(Json written) {
        String lexeme = written.toString();
        if (isIntegerLiteral(lexeme)) {
            return new RequestId(written, lexeme.equals("-0") ? "0" : lexeme);
        }
        // A number with a point or an exponent is an id only if no parser rounds it. Most parse it
        // as a double, which also detects a huge exponent without expanding the number.
        double nearest = Double.parseDouble(lexeme);
        if (!Double.isFinite(nearest) || nearest != Math.rint(nearest)) {
            return null;
        }
        BigDecimal exact = new BigDecimal(nearest);
        return isExactly(lexeme, exact)
                ? new RequestId(written, exact.toBigInteger().toString())
                : null;
    }

    private static boolean isExactly(String lexeme, BigDecimal value) {
        try {
            return new BigDecimal(lexeme).compareTo(value) == 0;
        } catch (NumberFormatException _) {
            return false; // the exponent is too large
        }
    }

    private static boolean isIntegerLiteral(String lexeme) {
        for (int i = 0; i < lexeme.length(); i++) {
            char c = lexeme.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                return false;
            }
        }
        return true;
    }

    public Json json() {
        return json;
    }

    public boolean isKnown() {
        return !json.isNull();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestId id && canonical.equals(id.canonical);
    }

    @Override
    public int hashCode() {
        return canonical.hashCode();
    }

    @Override
    public String toString() {
        return json.toString();
    }
}

package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * The response types that a client accepts.
 *
 * @param prefersJson whether it accepts JSON and does not name events before it
 */
public record AcceptHeader(boolean acceptsJson, boolean acceptsEvents, boolean prefersJson) {
    public static final String JSON = "application/json";
    public static final String EVENTS = "text/event-stream";

    private static final AcceptHeader ACCEPTS_BOTH = new AcceptHeader(true, true, true);
    private static final String COMMON_VALUE = JSON + ", " + EVENTS;

    /** Parses an {@code Accept} header; without one everything is accepted. */
    public static AcceptHeader parse(@Nullable String header) {
        if (header == null || header.equals(COMMON_VALUE)) {
            return ACCEPTS_BOTH;
        }
        boolean json = false;
        boolean events = false;
        boolean prefersJson = false;
        for (String range : header.split(",", -1)) {
            String[] parts = range.split(";", -1);
            if (hasZeroQuality(parts)) {
                continue;
            }
            String type = parts[0].strip().toLowerCase(Locale.ROOT);
            prefersJson |= type.equals(JSON) && !events;
            json |= type.equals(JSON) || type.equals("application/*") || type.equals("*/*");
            events |= type.equals(EVENTS) || type.equals("text/*") || type.equals("*/*");
        }
        return new AcceptHeader(json, events, prefersJson || (json && !events));
    }

    public boolean acceptsNothing() {
        return !acceptsJson && !acceptsEvents;
    }

    private static boolean hasZeroQuality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].strip().matches("q=0(\\.0{0,3})?")) {
                return true;
            }
        }
        return false;
    }
}

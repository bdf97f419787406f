package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** The kinds of answer that a client says it takes. */
record Accepts(boolean json, boolean events) {
    static final String JSON = "application/json";
    static final String EVENTS = "text/event-stream";

    private static final Accepts BOTH = new Accepts(true, true);
    private static final String USUAL = JSON + ", " + EVENTS;

    /** What an {@code Accept} header says; without one everything is taken. */
    static Accepts of(@Nullable String header) {
        if (header == null || header.equals(USUAL)) {
            return BOTH;
        }
        boolean json = false;
        boolean events = false;
        for (String range : header.split(",", -1)) {
            String[] parts = range.split(";", -1);
            if (isRefused(parts)) {
                continue;
            }
            String type = parts[0].strip().toLowerCase(Locale.ROOT);
            json |= type.equals(JSON) || type.equals("application/*") || type.equals("*/*");
            events |= type.equals(EVENTS) || type.equals("text/*") || type.equals("*/*");
        }
        return new Accepts(json, events);
    }

    boolean nothing() {
        return !json && !events;
    }

    private static boolean isRefused(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].strip().matches("q=0(\\.0{0,3})?")) {
                return true;
            }
        }
        return false;
    }
}

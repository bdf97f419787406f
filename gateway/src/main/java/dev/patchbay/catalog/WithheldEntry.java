package dev.patchbay.catalog;

import dev.patchbay.text.DisplayText;

/**
 * Something a server offers that clients do not get to see, and why.
 *
 * @param kind {@code tool}, {@code prompt}, {@code resource}, {@code resourceTemplate}, or {@code
 *     list} for a whole list
 * @param name its name or URI as far as it has one, shortened and made printable
 */
public record WithheldEntry(String kind, String name, String reason, Fault fault) {
    /** What is wrong with it. */
    public enum Fault {
        NAME,
        DUPLICATE,
        SCHEMA,
        /** It is too long, or one too many. */
        SIZE,
        /** The list has no end. */
        ENDLESS_PAGES,
        OTHER
    }

    private static final int NAME_CHARS_MAX = 100;

    public WithheldEntry {
        name = DisplayText.escape(name, NAME_CHARS_MAX);
    }

    public WithheldEntry(String kind, String name, String reason) {
        this(kind, name, reason, Fault.OTHER);
    }
}

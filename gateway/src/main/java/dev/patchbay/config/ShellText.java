package dev.patchbay.config;

import java.util.regex.Pattern;

/** Quotes words for commands that a user may paste into a shell. */
public final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellText() {}

    /** Returns the text as one word for a POSIX shell, in single quotes if it needs them. */
    public static String quote(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}

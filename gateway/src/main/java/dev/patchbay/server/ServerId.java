package dev.patchbay.server;

import java.util.regex.Pattern;

/**
 * The name under which a server is registered. It has neither dot nor underscore, so a full name
 * splits at its first dot in one way only, also where a host has replaced the dot.
 */
public record ServerId(String value) implements Comparable<ServerId> {
    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,49}");

    public ServerId {
        if (!isLegal(value)) {
            throw new IllegalArgumentException(
                    "A server id has 1 to 50 letters, digits and hyphens and begins with a letter"
                            + " or digit");
        }
    }

    public static boolean isLegal(String value) {
        return LEGAL.matcher(value).matches();
    }

    @Override
    public int compareTo(ServerId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}

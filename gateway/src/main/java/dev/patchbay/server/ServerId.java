package dev.patchbay.server;

/**
 * The name under which a server is registered. It has neither dot nor underscore, so a full name
 * splits at its first dot in one way only, also where a host has replaced the dot.
 */
public record ServerId(String value) implements Comparable<ServerId> {
    public static final int CHARS_MAX = 50;

    public ServerId {
        if (!isValid(value)) {
            throw new IllegalArgumentException(
                    "A server id has 1 to 50 letters, digits and hyphens and begins with a letter"
                            + " or digit");
        }
    }

    public static boolean isValid(String value) {
        boolean legal = !value.isEmpty() && value.length() <= CHARS_MAX && value.charAt(0) != '-';
        for (int i = 0; legal && i < value.length(); i++) {
            legal = isAllowedCharacter(value.charAt(i));
        }
        return legal;
    }

    /** Whether an id may have that character somewhere. */
    public static boolean isAllowedCharacter(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-';
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

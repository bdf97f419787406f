package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;

import java.util.Optional;

/**
 * The identity of a tool or prompt: the server that offers it, and the name it has there. The text
 * is {@code serverId.name}; since a server id has no dot, it splits at the first dot in one way
 * only. Nothing else joins or splits names.
 */
public record FullName(ServerId server, String name) implements Comparable<FullName> {
    public FullName {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("A name has at least one character");
        }
    }

    /** The full name a text is, if what stands before its first dot can be a server id. */
    public static Optional<FullName> parse(String text) {
        int dot = text.indexOf('.');
        if (dot <= 0 || dot == text.length() - 1) {
            return Optional.empty();
        }
        String server = text.substring(0, dot);
        return ServerId.isValid(server)
                ? Optional.of(new FullName(new ServerId(server), text.substring(dot + 1)))
                : Optional.empty();
    }

    public String text() {
        return server.value() + "." + name;
    }

    /** The name under which a client sees it: stable, and a function of this name alone. */
    public String advertisedName(NameStyle style) {
        return switch (style) {
            case DOTTED ->
                    server.value()
                            + "."
                            + NameShortener.shortenDotted(nameCharsMax(style, 1), name);
            case SAFE ->
                    server.value() + "__" + NameShortener.shortenSafe(nameCharsMax(style, 2), name);
            case BARE -> name;
        };
    }

    private int nameCharsMax(NameStyle style, int separatorChars) {
        return style.charsMax() - server.value().length() - separatorChars;
    }

    @Override
    public int compareTo(FullName other) {
        int byServer = server.compareTo(other.server);
        return byServer != 0 ? byServer : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return text();
    }
}

package dev.patchbay.catalog;

import java.util.List;
import java.util.Locale;

/** The setting {@code names}: which style a client gets. */
public enum NameStylePolicy {
    /** Safe names, and dotted ones for clients known to accept dots. */
    AUTO,
    DOTTED,
    SAFE,
    BARE;

    /**
     * What the names of clients that are known to accept dots begin with. They adapt the names
     * before a model sees them, or involve no model. All others are assumed to pass names to the
     * API of a model as they are; it refuses a request with all of its tools if one name does not
     * match {@code ^[a-zA-Z0-9_-]{1,64}$}.
     */
    private static final List<String> ACCEPT_DOTS =
            List.of(
                    "claude-code",
                    "cline",
                    "gemini-cli",
                    "inspector-cli",
                    "mcp-inspector",
                    "opencode",
                    "qwen-code");

    /** The style for a client that calls itself so; an empty name is an unknown client. */
    public NameStyle styleFor(String clientName) {
        return switch (this) {
            case AUTO -> acceptsDots(clientName) ? NameStyle.DOTTED : NameStyle.SAFE;
            case DOTTED -> NameStyle.DOTTED;
            case SAFE -> NameStyle.SAFE;
            case BARE -> NameStyle.BARE;
        };
    }

    private static boolean acceptsDots(String clientName) {
        String name = clientName.toLowerCase(Locale.ROOT);
        return ACCEPT_DOTS.stream().anyMatch(it -> isNameOrVariant(name, it));
    }

    /** Whether a name is the known one, also with a suffix such as "-tui" or " (via a proxy)". */
    private static boolean isNameOrVariant(String name, String known) {
        return name.startsWith(known)
                && (name.length() == known.length()
                        || !Character.isLetterOrDigit(name.charAt(known.length())));
    }
}

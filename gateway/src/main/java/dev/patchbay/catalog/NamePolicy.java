package dev.patchbay.catalog;

import java.util.List;
import java.util.Locale;

/** The setting {@code names}: which style a client gets. */
public enum NamePolicy {
    /** Dotted names, and safe ones for clients known to reject dots. */
    AUTO,
    DOTTED,
    SAFE,
    BARE;

    /**
     * What the names of clients that reject dots contain. They hand names to models under {@code
     * ^[a-zA-Z0-9_-]{1,64}$} and lose every tool of the gateway over one that does not match.
     */
    private static final List<String> REJECT_DOTS =
            List.of(
                    "claude-ai",
                    "claude ai",
                    "claudeai",
                    "claude-desktop",
                    "claude desktop",
                    "codex",
                    "copilot",
                    "openai",
                    "chatgpt",
                    "windsurf");

    /** The style for a client that calls itself so; an empty name is an unknown client. */
    public NameStyle styleFor(String clientName) {
        return switch (this) {
            case AUTO -> rejectsDots(clientName) ? NameStyle.SAFE : NameStyle.DOTTED;
            case DOTTED -> NameStyle.DOTTED;
            case SAFE -> NameStyle.SAFE;
            case BARE -> NameStyle.BARE;
        };
    }

    private static boolean rejectsDots(String clientName) {
        String name = clientName.toLowerCase(Locale.ROOT);
        return REJECT_DOTS.stream().anyMatch(name::contains);
    }
}

package dev.patchbay.catalog;

/** How the names of tools and prompts are advertised to a client. */
public enum NameStyle {
    /**
     * {@code serverId.toolName}. A host that prefixes names and replaces dots (Claude Code makes
     * {@code mcp__gateway__serverId_toolName} of at most 128 characters) still sees unique names.
     */
    DOTTED(100),
    /** {@code serverId__toolName} of letters, digits, underscores and hyphens. */
    SAFE(64),
    /** The server's own name, for a gateway with a single server. */
    BARE(Integer.MAX_VALUE);

    private final int charsMax;

    NameStyle(int charsMax) {
        this.charsMax = charsMax;
    }

    /** The longest name that is advertised in this style. */
    public int charsMax() {
        return charsMax;
    }
}

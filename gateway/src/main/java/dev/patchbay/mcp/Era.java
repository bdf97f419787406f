package dev.patchbay.mcp;

/** The two generations of MCP. */
public enum Era {
    /** A session that begins with a handshake: 2024-11-05 to 2025-11-25. */
    LEGACY,
    /** Requests without a session: 2026-07-28. */
    MODERN
}

package dev.patchbay.mcp;

/** The two ways in which MCP is spoken. */
public enum Era {
    /** A session that begins with a handshake: 2024-11-05 to 2025-11-25. */
    LEGACY,
    /** Every request stands for itself: 2026-07-28. */
    MODERN
}

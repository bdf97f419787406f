package dev.patchbay.mcp;

import java.util.List;
import java.util.Optional;

/** A revision of MCP, oldest first. */
public enum ProtocolVersion {
    V2024_11_05("2024-11-05", Era.LEGACY),
    V2025_03_26("2025-03-26", Era.LEGACY),
    V2025_06_18("2025-06-18", Era.LEGACY),
    V2025_11_25("2025-11-25", Era.LEGACY),
    V2026_07_28("2026-07-28", Era.MODERN);

    public static final ProtocolVersion NEWEST_LEGACY = V2025_11_25;
    public static final ProtocolVersion NEWEST_MODERN = V2026_07_28;

    private final String text;
    private final Era era;

    ProtocolVersion(String text, Era era) {
        this.text = text;
        this.era = era;
    }

    /** The version as sent on the wire. */
    public String text() {
        return text;
    }

    public Era era() {
        return era;
    }

    public boolean isAtLeast(ProtocolVersion other) {
        return compareTo(other) >= 0;
    }

    public static Optional<ProtocolVersion> of(String text) {
        return List.of(values()).stream().filter(v -> v.text.equals(text)).findFirst();
    }

    /** The version that answers a handshake: the requested one, or the newest legacy version. */
    public static ProtocolVersion negotiate(String asked) {
        return of(asked).filter(version -> version.era == Era.LEGACY).orElse(NEWEST_LEGACY);
    }
}

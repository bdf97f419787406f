package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

/** The result of the handshake. */
public record HandshakeResult(
        ProtocolVersion version,
        Implementation serverInfo,
        Json capabilities,
        @Nullable String instructions) {

    /** Whether the server declared a capability, such as {@code tools} or {@code resources}. */
    public boolean hasCapability(String capability) {
        return capabilities.member(capability) != null;
    }
}

package dev.patchbay.http.server;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

/**
 * What is kept of a legacy session, so that its client can continue it with another process.
 *
 * @param initializeParams the params of the handshake
 * @param logLevel the last level that the client asked for; null if it asked for none
 */
record StoredSession(String principal, Json initializeParams, @Nullable String logLevel) {
    byte[] toBytes() {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("principal", principal)
                        .member("initialize", initializeParams);
        if (logLevel != null) {
            writer.member("logLevel", logLevel);
        }
        return writer.endObject().toJson().toBytes();
    }

    /** The session that was stored; null if the bytes are not one. */
    static @Nullable StoredSession of(byte[] bytes) {
        try {
            Json stored = Json.parse(bytes);
            String principal = stored.memberText("principal");
            Json initialize = stored.member("initialize");
            return principal == null || initialize == null || !initialize.isObject()
                    ? null
                    : new StoredSession(principal, initialize, stored.memberText("logLevel"));
        } catch (JsonException _) {
            return null;
        }
    }
}

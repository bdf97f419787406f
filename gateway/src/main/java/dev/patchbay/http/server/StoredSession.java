package dev.patchbay.http.server;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

/**
 * What is kept of a legacy session, so that its client can continue it with another process.
 *
 * @param view the view that the session is for; empty for the whole catalog
 * @param initializeParams the params of the handshake
 * @param logLevel the last level that the client asked for; null if it asked for none
 */
record StoredSession(
        String principal, String view, Json initializeParams, @Nullable String logLevel) {
    /** Whether it was opened by this principal and for this view. */
    boolean belongsTo(EndpointClient client) {
        return principal.equals(client.principal()) && view.equals(client.view());
    }

    StoredSession withLogLevel(String level) {
        return new StoredSession(principal, view, initializeParams, level);
    }

    byte[] toBytes() {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("principal", principal)
                        .member("initialize", initializeParams);
        if (!view.isEmpty()) {
            writer.member("view", view);
        }
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
            String view = stored.memberText("view");
            Json initialize = stored.member("initialize");
            return principal == null || initialize == null || !initialize.isObject()
                    ? null
                    : new StoredSession(
                            principal,
                            view == null ? "" : view,
                            initialize,
                            stored.memberText("logLevel"));
        } catch (JsonException _) {
            return null;
        }
    }
}

package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestId;

import org.jspecify.annotations.Nullable;

/** The notification that nobody waits for a request any more. */
final class CancelledNotification {
    static final String METHOD = "notifications/cancelled";

    private CancelledNotification() {}

    static Notification of(long id, String why) {
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("requestId", id)
                        .member("reason", why)
                        .endObject()
                        .toJson();
        return new Notification(METHOD, params);
    }

    /** The request that a notification cancels; null if it names none. */
    static @Nullable RequestId requestId(Notification notification) {
        Json params = notification.params();
        Json id = params == null ? null : params.member("requestId");
        return id == null ? null : RequestId.of(id);
    }
}

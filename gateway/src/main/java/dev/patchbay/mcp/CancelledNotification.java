package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestId;

import org.jspecify.annotations.Nullable;

/** The notification that the sender of a request no longer waits for its response. */
public final class CancelledNotification {
    public static final String METHOD = "notifications/cancelled";

    private CancelledNotification() {}

    public static Notification of(long id, String reason) {
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("requestId", id)
                        .member("reason", reason)
                        .endObject()
                        .toJson();
        return new Notification(METHOD, params);
    }

    /** The id of the request that is cancelled; null if there is none. */
    public static @Nullable RequestId requestId(Notification notification) {
        Json params = notification.params();
        Json id = params == null ? null : params.member("requestId");
        return id == null ? null : RequestId.of(id);
    }
}

package dev.patchbay.jsonrpc;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;

import org.jspecify.annotations.Nullable;

/** Writes messages. Results and params go out as the bytes they are. */
public final class Encoder {
    private static final Json VERSION = Json.string("2.0");

    /** What stands around the params or the result: the version, an id, the name of a method. */
    private static final int ENVELOPE_BYTES = 96;

    /** A body from here on is passed on rather than copied, and needs no room. */
    private static final int COPIED_BODY_BYTES_MAX = 4 * 1024;

    private Encoder() {}

    public static EncodedJson encode(Message message) {
        return write(new JsonWriter(estimatedBytes(message)), message).toEncodedJson();
    }

    /** Writes an answer; where that fails, as for want of memory, the short one that says so. */
    public static EncodedJson encodeResponse(Response response) {
        try {
            return encode(response);
        } catch (RuntimeException | Error e) { // a request must not go unanswered
            return encode(ErrorResponses.of(response.id(), e));
        }
    }

    /** The room that the text will most likely take: a buffer that grows is made several times. */
    private static int estimatedBytes(Message message) {
        Json body =
                switch (message) {
                    case Request request -> request.params();
                    case Notification notification -> notification.params();
                    case Success success -> success.result();
                    case Failure failure -> failure.error().data();
                };
        int bytes = body == null ? 0 : body.length();
        return ENVELOPE_BYTES + (bytes < COPIED_BODY_BYTES_MAX ? bytes : 0);
    }

    /** Adds a message to a text, as the next element of an array for instance. */
    static JsonWriter write(JsonWriter target, Message message) {
        target.beginObject().member("jsonrpc", VERSION);
        switch (message) {
            case Request(RequestId id, String method, Json params) -> {
                target.member("id", id.json()).member("method", method);
                writeParams(target, params);
            }
            case Notification(String method, Json params) -> {
                target.member("method", method);
                writeParams(target, params);
            }
            case Success(RequestId id, Json result) ->
                    target.member("id", id.json()).member("result", result);
            case Failure(RequestId id, RpcError error) ->
                    writeError(target.member("id", id.json()).name("error"), error);
        }
        return target.endObject();
    }

    private static void writeParams(JsonWriter target, @Nullable Json params) {
        if (params != null) {
            target.member("params", params);
        }
    }

    private static void writeError(JsonWriter target, RpcError error) {
        target.beginObject().member("code", error.code()).member("message", error.message());
        if (error.data() != null) {
            target.member("data", error.data());
        }
        target.endObject();
    }
}

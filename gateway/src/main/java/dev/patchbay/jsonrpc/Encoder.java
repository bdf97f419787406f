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

/** Encodes messages. Results and params are written as the bytes they were read as. */
public final class Encoder {
    private static final Json VERSION = Json.string("2.0");

    /** The expected length of version, id and method name. */
    private static final int ENVELOPE_BYTES = 96;

    /** A longer body is referenced instead of copied, so it needs no room in the buffer. */
    private static final int COPIED_BODY_BYTES_MAX = 4 * 1024;

    private Encoder() {}

    public static EncodedJson encode(Message message) {
        return write(new JsonWriter(estimatedBytes(message)), message).toEncodedJson();
    }

    /** Encodes a response. If that fails, such as for lack of memory, encodes an error instead. */
    public static EncodedJson encodeResponse(Response response) {
        try {
            return encode(response);
        } catch (RuntimeException | Error e) { // every request gets a response
            return encode(ErrorResponses.of(response.id(), e));
        }
    }

    /** The likely length of the text, so that the buffer need not grow. */
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

    /** Writes a message, such as the next element of an array. */
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

package dev.patchbay.jsonrpc;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;
import static dev.patchbay.jsonrpc.RpcError.INVALID_REQUEST;
import static dev.patchbay.jsonrpc.RpcError.PARSE_ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonException.Fault;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.JsonReader;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.DecodedFrame.BadResponse;
import dev.patchbay.jsonrpc.DecodedFrame.Batch;
import dev.patchbay.jsonrpc.DecodedFrame.Malformed;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Success;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Decodes frames. It never throws: a malformed frame is a value. */
public final class Decoder {
    /** The reason for rejecting a frame that needs more memory than there is. */
    public static final String OUT_OF_MEMORY = "more than there is memory for";

    private static final int BATCH_ITEMS_MAX = 1_000;
    private static final Set<String> ENVELOPE_MEMBERS = Set.of("id", "method", "result", "error");

    private final JsonReader reader;

    public Decoder(JsonLimits limits) {
        reader = new JsonReader(limits);
    }

    /** Decodes a frame. The array must not change afterwards: the message is a view of it. */
    public DecodedFrame decode(byte[] bytes, int from, int to) {
        try {
            return decode(reader.read(bytes, from, to));
        } catch (JsonException e) {
            if (e.fault() == Fault.NOT_JSON) {
                return malformed(RequestId.UNKNOWN, PARSE_ERROR, "Parse error: " + e.reason());
            }
            return withTooDeepResult(rejectedFrame(bytes, from, to, e.reason()), e.value());
        } catch (OutOfMemoryError e) {
            return rejectedFrame(bytes, from, to, OUT_OF_MEMORY); // affects only this frame
        }
    }

    private static DecodedFrame rejectedFrame(byte[] bytes, int from, int to, String why) {
        var finder = envelopeFinder();
        finder.accept(bytes, from, to);
        return rejectedFrame(finder, why);
    }

    /** A response that is only nested too deeply keeps its result: parts of it can be used. */
    private static DecodedFrame withTooDeepResult(DecodedFrame refused, @Nullable Json frame) {
        return frame != null
                        && refused instanceof BadResponse bad
                        && decode(frame) instanceof Success(RequestId id, Json result)
                ? new BadResponse(id, bad.reason(), result)
                : refused;
    }

    /** Decodes a value that was already parsed. */
    public static DecodedFrame decode(Json json) {
        return switch (json.kind()) {
            case OBJECT -> decodeObject(json);
            case ARRAY -> decodeBatch(json.elements());
            case STRING, NUMBER, BOOLEAN, NULL ->
                    invalidRequest(RequestId.UNKNOWN, "not an object");
        };
    }

    /** A finder of the members that {@link #rejectedFrame} needs of a frame that is not kept. */
    public static MemberFinder envelopeFinder() {
        return new MemberFinder(ENVELOPE_MEMBERS);
    }

    /** Decodes a frame beyond a limit from the members that the finder saw. */
    public static DecodedFrame rejectedFrame(MemberFinder finder, String why) {
        Json written = finder.value("id");
        RequestId id = written == null ? null : RequestId.of(written);
        if (!finder.has("method") && (finder.has("result") || finder.has("error"))) {
            return new BadResponse(id == null ? RequestId.UNKNOWN : id, why);
        }
        return invalidRequest(id == null ? RequestId.UNKNOWN : id, why);
    }

    private static DecodedFrame decodeBatch(List<Json> elements) {
        if (elements.isEmpty()) {
            return invalidRequest(RequestId.UNKNOWN, "an empty batch");
        }
        if (elements.size() > BATCH_ITEMS_MAX) {
            return invalidRequest(RequestId.UNKNOWN, "a batch of more than " + BATCH_ITEMS_MAX);
        }
        var items = new ArrayList<DecodedFrame>(elements.size());
        for (Json element : elements) {
            items.add(
                    element.isObject()
                            ? decodeObject(element)
                            : invalidRequest(RequestId.UNKNOWN, "not an object"));
        }
        return new Batch(items);
    }

    private static DecodedFrame decodeObject(Json object) {
        Json version = null;
        Json id = null;
        Json method = null;
        Json params = null;
        Json result = null;
        Json error = null;
        MemberCursor members = object.memberCursor();
        while (members.next()) {
            if (members.nameIs("jsonrpc")) {
                version = members.value();
            } else if (members.nameIs("id")) {
                id = members.value();
            } else if (members.nameIs("method")) {
                method = members.value();
            } else if (members.nameIs("params")) {
                params = members.value();
            } else if (members.nameIs("result")) {
                result = members.value();
            } else if (members.nameIs("error")) {
                error = members.value();
            }
        }
        boolean versionRight = version != null && version.isText("2.0");
        if (method == null && (result != null || error != null)) {
            return decodeResponse(versionRight, id, result, error);
        }
        return decodeCall(versionRight, id, method, params);
    }

    private static DecodedFrame decodeCall(
            boolean versionRight, @Nullable Json id, @Nullable Json method, @Nullable Json params) {
        RequestId known = id == null ? null : RequestId.of(id);
        RequestId answerTo = known == null ? RequestId.UNKNOWN : known;
        if (!versionRight) {
            return invalidRequest(answerTo, "jsonrpc is not \"2.0\"");
        }
        if (method == null || !method.isString()) {
            return invalidRequest(
                    answerTo, "method is " + (method == null ? "missing" : "no string"));
        }
        if (id == null) {
            return new Notification(method.text(), params);
        }
        if (known == null) {
            return invalidRequest(answerTo, "id is neither a string nor a whole number");
        }
        if (params == null || params.isObject()) {
            return new Request(known, method.text(), params);
        }
        if (params.isArray()) {
            return malformed(known, INVALID_PARAMS, "Invalid params: an object is wanted");
        }
        return invalidRequest(known, "params is no object");
    }

    private static DecodedFrame decodeResponse(
            boolean versionRight, @Nullable Json id, @Nullable Json result, @Nullable Json error) {
        RequestId known = id == null ? null : RequestId.of(id);
        if (known == null) {
            return new BadResponse(RequestId.UNKNOWN, "it has no id");
        }
        if (!versionRight) {
            return new BadResponse(known, "jsonrpc is not \"2.0\"");
        }
        if (error == null) {
            return result == null
                    ? new BadResponse(known, "it has neither result nor error")
                    : new Success(known, result);
        }
        if (result != null) {
            return new BadResponse(known, "it has both result and error");
        }
        RpcError read = decodeError(error);
        return read == null
                ? new BadResponse(known, "its error has no code or no message")
                : new Failure(known, read);
    }

    private static @Nullable RpcError decodeError(Json error) {
        Json code = error.member("code");
        String message = error.memberText("message");
        long number = code == null ? Long.MIN_VALUE : code.asLong(Long.MIN_VALUE);
        if (message == null || number != (int) number) {
            return null;
        }
        return new RpcError((int) number, message, error.member("data"));
    }

    private static Malformed invalidRequest(RequestId id, String why) {
        return malformed(id, INVALID_REQUEST, "Invalid request: " + why);
    }

    private static Malformed malformed(RequestId id, int code, String message) {
        return new Malformed(id, RpcError.of(code, message));
    }
}

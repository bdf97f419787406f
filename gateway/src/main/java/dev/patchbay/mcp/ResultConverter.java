package dev.patchbay.mcp;

import static dev.patchbay.mcp.MetaKeys.META;
import static dev.patchbay.mcp.MetaKeys.SERVER_INFO;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;

/** Converts results between the two eras. Content is forwarded as written. */
public final class ResultConverter {
    /** The member with the type of a modern result. */
    public static final String RESULT_TYPE = "resultType";

    private static final Json COMPLETE = Json.string("complete");
    private static final String STRUCTURED = "structuredContent";
    private static final Json PRIVATE = Json.string("private");

    private ResultConverter() {}

    /** The result without members that only the modern era has. */
    public static Json toLegacy(Json result) {
        boolean modern = false;
        MemberCursor members = result.memberCursor();
        while (!modern && members.next()) {
            modern =
                    isModernMember(members)
                            || isMetaWithServerInfo(members)
                            || isNonObjectStructuredContent(members);
        }
        if (!modern) {
            return result;
        }
        var writer = new JsonWriter().beginObject();
        members = result.memberCursor();
        while (members.next()) {
            if (isMetaWithServerInfo(members)) {
                Json rest = withoutServerInfo(members.value());
                if (!rest.equals(Json.EMPTY_OBJECT)) {
                    writer.member(META, rest);
                }
            } else if (isNonObjectStructuredContent(members)) {
                writer.name(STRUCTURED).beginObject().member("result", members.value()).endObject();
            } else if (!isModernMember(members)) {
                writer.name(members.name()).value(members.value());
            }
        }
        return writer.endObject().toJson();
    }

    /** The result with the members that a modern client needs: type, cache hints, server info. */
    public static Json toModern(Json result, boolean cacheable, Json serverInfo) {
        var writer = new JsonWriter().beginObject();
        boolean typed = false;
        boolean timed = false;
        boolean scoped = false;
        boolean named = false;
        MemberCursor members = result.memberCursor();
        while (members.next()) {
            typed |= members.nameIs(RESULT_TYPE);
            timed |= members.nameIs("ttlMs");
            scoped |= members.nameIs("cacheScope");
            if (members.nameIs(META) && members.value().isObject()) {
                named = true;
                writer.name(META).value(withServerInfo(members.value(), serverInfo));
            } else {
                writer.name(members.name()).value(members.value());
            }
        }
        boolean complete = !typed || isComplete(result);
        if (!typed) {
            writer.member(RESULT_TYPE, COMPLETE);
        }
        if (cacheable && complete && !timed) {
            writer.member("ttlMs", 0);
        }
        if (cacheable && complete && !scoped) {
            writer.member("cacheScope", PRIVATE);
        }
        if (!named) {
            writer.name(META).value(withServerInfo(Json.EMPTY_OBJECT, serverInfo));
        }
        return writer.endObject().toJson();
    }

    /** Whether a result is final, and does not ask for input or start a task. */
    public static boolean isComplete(Json result) {
        Json type = result.member(RESULT_TYPE);
        return type == null || type.isText("complete");
    }

    /** Whether the type of a result is known or absent. */
    public static boolean hasKnownType(Json result) {
        Json type = result.member(RESULT_TYPE);
        return type == null
                || type.isText("complete")
                || type.isText("input_required")
                || type.isText("task");
    }

    private static boolean isModernMember(MemberCursor members) {
        return members.nameIs(RESULT_TYPE)
                || members.nameIs("ttlMs")
                || members.nameIs("cacheScope");
    }

    /** Legacy clients reject a result whose structured content is not an object. */
    private static boolean isNonObjectStructuredContent(MemberCursor members) {
        return members.nameIs(STRUCTURED) && !members.value().isObject();
    }

    private static boolean isMetaWithServerInfo(MemberCursor members) {
        return members.nameIs(META) && members.value().member(SERVER_INFO) != null;
    }

    private static Json withoutServerInfo(Json meta) {
        var writer = new JsonWriter().beginObject();
        copyExceptServerInfo(writer, meta);
        return writer.endObject().toJson();
    }

    private static Json withServerInfo(Json meta, Json serverInfo) {
        var writer = new JsonWriter().beginObject();
        copyExceptServerInfo(writer, meta);
        return writer.member(SERVER_INFO, serverInfo).endObject().toJson();
    }

    private static void copyExceptServerInfo(JsonWriter writer, Json meta) {
        MemberCursor members = meta.memberCursor();
        while (members.next()) {
            if (!members.nameIs(SERVER_INFO)) {
                writer.name(members.name()).value(members.value());
            }
        }
    }
}

package dev.patchbay.mcp;

import static dev.patchbay.mcp.MetaKeys.META;
import static dev.patchbay.mcp.MetaKeys.SERVER_INFO;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;

/** The shape of results in the two eras. What a result says is passed on as written. */
public final class ResultConverter {
    /** The member that says what a modern result is. */
    public static final String RESULT_TYPE = "resultType";

    private static final Json COMPLETE = Json.string("complete");
    private static final String STRUCTURED = "structuredContent";
    private static final Json PRIVATE = Json.string("private");

    private ResultConverter() {}

    /** The result as a legacy client may see it: without what only the modern era has. */
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

    /** The result as a modern client must see it: with its type, its cache hints and our name. */
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

    /** Whether a result ends its request, rather than asking for something first. */
    public static boolean isComplete(Json result) {
        Json type = result.member(RESULT_TYPE);
        return type == null || type.isText("complete");
    }

    /** Whether a result is of a type that the protocol has, or of none. */
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

    /** Legacy clients refuse a whole result whose structured content is no object. */
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

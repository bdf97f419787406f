package dev.patchbay.testkit;

/** Puts what a {@link ScriptedServer} says into the shape of the era it is asked in. */
final class ScriptedResponses {
    static final String INFO_KEY = "io.modelcontextprotocol/serverInfo";
    static final String SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

    /** Says of a message which call it belongs to, where the script wants that. */
    static final String CALL_KEY = "test/call";

    private final ScriptedStdio wire;
    private final String serverInfo;
    private final boolean marksCalls;
    private final String cacheHints;

    ScriptedResponses(ScriptedStdio wire, ScriptedServerOptions options) {
        this.wire = wire;
        this.marksCalls = options.isSet("mark-calls");
        this.cacheHints =
                ",\"ttlMs\":"
                        + options.number("ttl", 0)
                        + ",\"cacheScope\":"
                        + StrictJson.quote(options.text("scope", "private"));
        String name = options.text("name", "scripted");
        this.serverInfo = "{\"name\":" + StrictJson.quote(name) + ",\"version\":\"1.0\"}";
    }

    String serverInfo() {
        return serverInfo;
    }

    /** Answers with a result of these members, in the shape of the request's era. */
    void sendResult(ScriptedRequest request, String members) {
        wire.writeLine(resultLine(request.id(), resultObject(request, members)));
    }

    /** As {@link #sendResult}, with the hints that lists and reads of the modern era must carry. */
    void sendCacheableResult(ScriptedRequest request, String members) {
        sendResult(request, members + (request.modern() ? cacheHints : ""));
    }

    /** Answers with a tool result of one text. */
    void sendText(ScriptedRequest request, String text) {
        sendResult(request, textContent(text));
    }

    void sendError(ScriptedRequest request, int code, String message) {
        sendError(request, code, message, "");
    }

    /** Answers with an error; the data is JSON text, empty for none. */
    void sendError(ScriptedRequest request, int code, String message, String data) {
        wire.writeLine(errorLine(request.id(), code, message, data));
    }

    void sendNotification(String method, String params) {
        wire.writeLine(ClientMessages.notification(method, params));
    }

    /** These members of params, in braces, marked with their call if the script wants that. */
    String withCallId(ScriptedRequest call, String members) {
        return withCallId(call, members, "");
    }

    /** The same with these members of {@code _meta}. */
    String withCallId(ScriptedRequest call, String members, String meta) {
        String mark = marksCalls ? "\"" + CALL_KEY + "\":" + call.id() : "";
        String both = meta + (meta.isEmpty() || mark.isEmpty() ? "" : ",") + mark;
        String separator = members.isEmpty() ? "" : ",";
        return "{" + members + (both.isEmpty() ? "" : separator + "\"_meta\":{" + both + "}") + "}";
    }

    /** The members of a result object, completed for the era, in braces. */
    String resultObject(ScriptedRequest request, String members) {
        if (!request.modern()) {
            return "{" + members + "}";
        }
        String type = members.contains("\"resultType\"") ? "" : "\"resultType\":\"complete\",";
        String meta = "\"_meta\":{\"" + INFO_KEY + "\":" + serverInfo + "}";
        String separator = members.isEmpty() ? "" : ",";
        return "{" + type + members + (members.contains("\"_meta\"") ? "" : separator + meta) + "}";
    }

    static String resultLine(String id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    static String errorLine(String id, int code, String message, String data) {
        String more = data.isEmpty() ? "" : ",\"data\":" + data;
        return "{\"jsonrpc\":\"2.0\",\"id\":"
                + id
                + ",\"error\":{\"code\":"
                + code
                + ",\"message\":"
                + StrictJson.quote(message)
                + more
                + "}}";
    }

    static String textContent(String text) {
        return "\"content\":[{\"type\":\"text\",\"text\":" + StrictJson.quote(text) + "}]";
    }
}

package dev.patchbay.testkit;

/** Puts what a {@link ScriptedServer} says into the shape of the era it is asked in. */
final class ServerAnswers {
    static final String INFO_KEY = "io.modelcontextprotocol/serverInfo";
    static final String SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

    /** Says of a message which call it belongs to, where the script wants that. */
    static final String CALL_KEY = "test/call";

    private final ServerWire wire;
    private final String info;
    private final boolean marks;
    private final String hints;

    ServerAnswers(ServerWire wire, ServerOptions options) {
        this.wire = wire;
        this.marks = options.flag("mark-calls");
        this.hints =
                ",\"ttlMs\":"
                        + options.number("ttl", 0)
                        + ",\"cacheScope\":"
                        + StrictJson.quote(options.text("scope", "private"));
        String name = options.text("name", "scripted");
        this.info = "{\"name\":" + StrictJson.quote(name) + ",\"version\":\"1.0\"}";
    }

    String info() {
        return info;
    }

    /** Answers with a result of these members, in the shape of the request's era. */
    void result(ServerRequest request, String members) {
        wire.line(resultLine(request.id(), object(request, members)));
    }

    /** As {@link #result}, with the hints that lists and reads of the modern era must carry. */
    void cacheable(ServerRequest request, String members) {
        result(request, members + (request.modern() ? hints : ""));
    }

    /** Answers with a tool result of one text. */
    void text(ServerRequest request, String text) {
        result(request, textContent(text));
    }

    void error(ServerRequest request, int code, String message) {
        error(request, code, message, "");
    }

    /** Answers with an error; the data is JSON text, empty for none. */
    void error(ServerRequest request, int code, String message, String data) {
        wire.line(errorLine(request.id(), code, message, data));
    }

    void notification(String method, String params) {
        wire.line(Messages.notification(method, params));
    }

    /** These members of params, in braces, marked with their call if the script wants that. */
    String marked(ServerRequest call, String members) {
        return marked(call, members, "");
    }

    /** The same with these members of {@code _meta}. */
    String marked(ServerRequest call, String members, String meta) {
        String mark = marks ? "\"" + CALL_KEY + "\":" + call.id() : "";
        String both = meta + (meta.isEmpty() || mark.isEmpty() ? "" : ",") + mark;
        String separator = members.isEmpty() ? "" : ",";
        return "{" + members + (both.isEmpty() ? "" : separator + "\"_meta\":{" + both + "}") + "}";
    }

    /** The members of a result object, completed for the era, in braces. */
    String object(ServerRequest request, String members) {
        if (!request.modern()) {
            return "{" + members + "}";
        }
        String type = members.contains("\"resultType\"") ? "" : "\"resultType\":\"complete\",";
        String meta = "\"_meta\":{\"" + INFO_KEY + "\":" + info + "}";
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

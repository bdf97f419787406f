package dev.patchbay.testkit;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a {@link ScriptedServer} asks its client: sampling, elicitation and roots, as requests in
 * the legacy era and as input_required results in the modern one.
 */
final class ScriptedClientRequests {
    private static final String SAMPLING =
            "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Hi\"}}],"
                    + "\"maxTokens\":10}";
    private static final String SAMPLING_TOOLS =
            SAMPLING.substring(0, SAMPLING.length() - 1)
                    + ",\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}";
    private static final String ELICITATION =
            "{\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}";
    private static final String ROUND_MARK = " after ";
    private static final int WAITING_MAX = 10_000;

    private final ScriptedServerContext core;
    private final Map<String, ScriptedRequest> waiting = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong(1);

    ScriptedClientRequests(ScriptedServerContext core) {
        this.core = core;
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    boolean tryRun(String behaviour, ScriptedRequest call) {
        switch (behaviour) {
            case "sample" -> sendRequest(call, "sampling/createMessage", SAMPLING);
            case "sampleTools" -> sendRequest(call, "sampling/createMessage", SAMPLING_TOOLS);
            case "elicit" -> sendRequest(call, "elicitation/create", ELICITATION);
            case "elicitUrl" -> sendRequest(call, "elicitation/create", urlElicitation(call));
            case "roots" -> sendRequest(call, "roots/list", "");
            case "ask" ->
                    sendRequest(call, call.text("method", "ping"), call.rawArgument("params", ""));
            case "pingBack" -> sendRequest(call, "ping", "");
            case "unknownBack" -> sendRequest(call, "no/such/method", "{}");
            default -> {
                return false;
            }
        }
        return true;
    }

    /** A question that sends the user to a URL; in the legacy era such a URL has an id. */
    private static String urlElicitation(ScriptedRequest call) {
        String id = StrictJson.quote(call.text("id", "e1"));
        return "{\"mode\":\"url\",\"message\":\"Go\",\"url\":\"https://example.com/go\""
                + (call.modern() ? "" : ",\"elicitationId\":" + id)
                + "}";
    }

    /** Answers the call that waited for this response of the client, if one did. */
    void onResponse(JsonTree response) {
        Optional<JsonTree> id = response.member("id");
        ScriptedRequest call = id.isPresent() ? waiting.remove(id.get().write()) : null;
        if (call != null) {
            String said =
                    response.member("result")
                            .or(() -> response.member("error"))
                            .map(JsonTree::write)
                            .orElse("nothing");
            core.responses().sendText(call, said);
        }
    }

    private void sendRequest(ScriptedRequest call, String method, String params) {
        if (call.modern() && !call.text("asRequest", "false").equals("true")) {
            requestInResult(call, method, params);
            return;
        }
        if (waiting.size() >= WAITING_MAX) {
            core.responses().sendError(call, -32603, "Too many questions");
            return;
        }
        String id = "\"s" + nextId.getAndIncrement() + "\"";
        waiting.put(id, call);
        String members = params.isEmpty() ? "" : params.substring(1, params.length() - 1);
        String marked = core.responses().withCallId(call, members);
        boolean empty = params.isEmpty() && marked.equals("{}");
        core.stdio().writeLine(ClientMessages.request(id, method, empty ? "" : marked));
    }

    private void requestInResult(ScriptedRequest call, String method, String params) {
        long rounds = completedRounds(call);
        if (rounds >= call.number("rounds", 1)) {
            core.responses().sendText(call, call.rawParam("inputResponses"));
            return;
        }
        String capability = method.substring(0, method.indexOf('/'));
        Optional<JsonTree> declared =
                call.param("_meta", ClientMessages.CAPABILITIES_KEY, capability);
        boolean tools = params.equals(SAMPLING_TOOLS);
        if (declared.isEmpty() || (tools && !declared.get().has("tools"))) {
            String part = tools ? "{\"tools\":{}}" : "{}";
            String needed = "{\"requiredCapabilities\":{\"" + capability + "\":" + part + "}}";
            core.responses().sendError(call, -32021, "The client cannot be asked", needed);
            return;
        }
        String given = params.isEmpty() ? "" : ",\"params\":" + params;
        core.responses()
                .sendResult(
                        call,
                        "\"resultType\":\"input_required\",\"inputRequests\":{\"k1\":{\"method\":\""
                                + method
                                + "\""
                                + given
                                + "}},\"requestState\":\"state of "
                                + StrictJson.quote(call.id()).replace("\"", "")
                                + (rounds == 0 ? "" : ROUND_MARK + rounds)
                                + "\"");
    }

    /** How often the client was asked already; the state that it brings says so. */
    private static long completedRounds(ScriptedRequest call) {
        if (call.param("inputResponses").isEmpty()) {
            return 0;
        }
        String state = call.param("requestState").map(JsonTree::asText).orElse("");
        int mark = state.lastIndexOf(ROUND_MARK);
        return mark < 0 ? 1 : 1 + Long.parseLong(state.substring(mark + ROUND_MARK.length()));
    }
}

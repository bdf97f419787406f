package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A client of one era over one transport. It answers requests of servers as its era does, and
 * records everything it receives.
 */
final class EraClient implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** All capabilities of a client, except sampling with tools. */
    static final String DEFAULT_CAPABILITIES =
            "{\"sampling\":{},\"roots\":{},\"elicitation\":{\"form\":{},\"url\":{}}}";

    private static final int ROUNDS_MAX = 10;

    private final boolean modern;
    private final TestTransport transport;
    private final SchemaCheck schema;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<JsonTree, JsonTree> responsesById = new ConcurrentHashMap<>();
    private final List<JsonTree> notifications = new CopyOnWriteArrayList<>();
    private final List<JsonTree> serverRequests = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Map<String, String> cannedAnswers = new ConcurrentHashMap<>();
    private final Map<String, String> listenIds = new HashMap<>();
    private volatile String capabilities = DEFAULT_CAPABILITIES;
    private volatile String meta = "";

    EraClient(boolean modern, TestTransport wire) {
        this.modern = modern;
        this.transport = wire;
        this.schema = SchemaCheck.ofClient(modern ? ClientMessages.MODERN : "2025-11-25");
        cannedAnswers.put(
                "sampling/createMessage",
                "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"sampled\"},"
                        + "\"model\":\"m\"}");
        cannedAnswers.put(
                "elicitation/create", "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
        cannedAnswers.put("roots/list", "{\"roots\":[{\"uri\":\"file:///r\"}]}");
        wire.open(this::onMessage);
    }

    boolean isModern() {
        return modern;
    }

    TestTransport transport() {
        return transport;
    }

    /** Sets the capabilities to declare; for a legacy client, before the handshake. */
    EraClient withCapabilities(String declared) {
        capabilities = declared;
        return this;
    }

    /** Adds members to the {@code _meta} of every modern request. */
    EraClient withMeta(String members) {
        meta = members;
        return this;
    }

    /** Sets the answer to a request of a server. */
    EraClient withAnswer(String method, String result) {
        cannedAnswers.put(method, result);
        return this;
    }

    /** Performs the handshake, if the era has one. */
    EraClient initialize() {
        return initialize("2025-11-25");
    }

    EraClient initialize(String version) {
        if (!modern) {
            String params =
                    "{\"protocolVersion\":\"%s\",\"capabilities\":%s,\"clientInfo\":%s}"
                            .formatted(
                                    version,
                                    capabilities,
                                    "{\"name\":\"mcp-inspector\",\"version\":\"1\"}");
            assertThat(request("initialize", params).has("result")).isTrue();
            sendChecked(ClientMessages.notification("notifications/initialized", ""));
        }
        return this;
    }

    /** Sends a request and returns its id as written. */
    String send(String method, String params) {
        String id = "\"c" + ids.incrementAndGet() + "\"";
        String whole = params;
        if (modern) {
            String given =
                    meta.isEmpty() ? params : withMembers(params, "\"_meta\":{" + meta + "}");
            whole = ClientMessages.modernParams(given, capabilities);
        }
        sendChecked(ClientMessages.request(id, method, whole));
        return id;
    }

    private void sendChecked(String json) {
        schema.recordToGateway(json);
        transport.send(json);
    }

    private static String withMembers(String params, String members) {
        JsonTree tree = StrictJson.parse(params.isEmpty() ? "{}" : params);
        if (tree.has("_meta")) {
            throw new IllegalArgumentException("The params have a _meta of their own");
        }
        String text = tree.write();
        String separator = text.equals("{}") ? "" : ",";
        return text.substring(0, text.length() - 1) + separator + members + "}";
    }

    /** Waits for the response to a request. */
    JsonTree awaitResponse(String rawId) {
        JsonTree id = StrictJson.parse(rawId);
        assertThat(await(() -> responsesById.containsKey(id)))
                .as(
                        "Response to %s; received %s and requests %s",
                        rawId, notifications, serverRequests)
                .isTrue();
        return responsesById.get(id);
    }

    boolean hasResponse(String rawId) {
        return responsesById.containsKey(StrictJson.parse(rawId));
    }

    JsonTree request(String method, String params) {
        return awaitResponse(send(method, params));
    }

    /** Sends a request, and answers the input requests of all rounds. */
    JsonTree requestWithInput(String method, String params) {
        JsonTree answer = request(method, params);
        for (int round = 0; round < ROUNDS_MAX && isInputRequired(answer); round++) {
            answer = request(method, nextRoundParams(params, answer.at("result")));
        }
        return answer;
    }

    static boolean isInputRequired(JsonTree answer) {
        return answer.findAt("result", "resultType")
                .equals(Optional.of(new JsonTree.Str("input_required")));
    }

    /** The params of the next round. */
    String nextRoundParams(String params, JsonTree asked) {
        var responses = new ArrayList<String>();
        if (asked.findAt("inputRequests").orElse(JsonTree.Literal.NULL)
                instanceof JsonTree.Obj requests) {
            for (JsonTree.Member question : requests.members()) {
                serverRequests.add(question.value());
                String method = question.value().at("method").asText();
                responses.add(
                        StrictJson.quote(question.name())
                                + ":"
                                + cannedAnswers.getOrDefault(method, "{}"));
            }
        }
        String state =
                asked.findAt("requestState")
                        .map(it -> ",\"requestState\":" + it.write())
                        .orElse("");
        return withMembers(
                params, "\"inputResponses\":{" + String.join(",", responses) + "}" + state);
    }

    /** Calls a tool, answers its input requests, and returns the result. */
    JsonTree call(String tool, String arguments) {
        return requestWithInput("tools/call", ClientMessages.callParams(tool, arguments))
                .at("result");
    }

    /** Calls a tool and returns the text of its first content block. */
    String callForText(String tool, String arguments) {
        return call(tool, arguments).at("content", 0, "text").asText();
    }

    /** Subscribes to a resource; false if it is refused. */
    boolean subscribe(String uri) {
        if (!modern) {
            return request("resources/subscribe", uriParams(uri)).has("result");
        }
        String filter =
                "{\"notifications\":{\"resourceSubscriptions\":[" + StrictJson.quote(uri) + "]}}";
        String id = send("subscriptions/listen", filter);
        listenIds.put(uri, id);
        JsonTree ack =
                awaitNotification(
                        "notifications/subscriptions/acknowledged",
                        tree -> hasSubscriptionId(tree, id));
        return ack.findAt("params", "notifications", "resourceSubscriptions", 0)
                .equals(Optional.of(new JsonTree.Str(uri)));
    }

    void unsubscribe(String uri) {
        if (modern) {
            transport.cancel(listenIds.getOrDefault(uri, ""));
        } else {
            assertThat(request("resources/unsubscribe", uriParams(uri)).has("result")).isTrue();
        }
    }

    static String uriParams(String uri) {
        return "{\"uri\":" + StrictJson.quote(uri) + "}";
    }

    /** Whether a notification carries the id of a subscription. */
    static boolean hasSubscriptionId(JsonTree notice, String rawId) {
        return notice.findAt("params", "_meta", "io.modelcontextprotocol/subscriptionId")
                .equals(Optional.of(StrictJson.parse(rawId)));
    }

    /** The notifications of a method so far. */
    List<JsonTree> notifications(String method) {
        var wanted = Optional.of(new JsonTree.Str(method));
        return notifications.stream().filter(tree -> tree.member("method").equals(wanted)).toList();
    }

    JsonTree awaitNotification(String method, Predicate<JsonTree> fits) {
        assertThat(await(() -> notifications(method).stream().anyMatch(fits)))
                .as("%s among %s", method, notifications)
                .isTrue();
        return notifications(method).stream().filter(fits).findFirst().orElseThrow();
    }

    /** The requests of servers received so far. */
    List<JsonTree> serverRequests() {
        return serverRequests;
    }

    /** The protocol errors in what this client received. */
    List<String> faults() {
        return faults;
    }

    static boolean await(BooleanSupplier condition) {
        return Await.becomesTrue(condition, TIMEOUT);
    }

    private void onMessage(JsonTree message) {
        schema.checkFromGateway(message.write());
        if (!message.has("method")) {
            if (responsesById.put(message.findAt("id").orElse(JsonTree.Literal.NULL), message)
                    != null) {
                faults.add("Answered twice: " + message);
            }
            if (message.has("result") && message.at("result").has("resultType") != modern) {
                faults.add("The result of the other era: " + message);
            }
        } else if (!message.has("id")) {
            notifications.add(message);
        } else if (modern) {
            faults.add("A request to a modern client: " + message);
        } else {
            serverRequests.add(message);
            String reply = cannedAnswers.get(message.at("method").asText());
            String body =
                    reply == null || reply.isEmpty()
                            ? "\"error\":{\"code\":-1,\"message\":\"no\"}"
                            : "\"result\":" + reply;
            Thread.ofVirtual()
                    .start(
                            () ->
                                    sendChecked(
                                            "{\"jsonrpc\":\"2.0\",\"id\":"
                                                    + message.at("id").write()
                                                    + ","
                                                    + body
                                                    + "}"));
        }
    }

    @Override
    public void close() {
        transport.close();
        assertThat(faults).isEmpty();
        assertThat(schema.violations()).isEmpty();
    }
}

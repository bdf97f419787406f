package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A client of one era over one transport. It answers what it is asked, in the way of its era, and
 * keeps everything it hears.
 */
final class EraClient implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** All that a client can declare, but for sampling with tools. */
    static final String ABLE =
            "{\"sampling\":{},\"roots\":{},\"elicitation\":{\"form\":{},\"url\":{}}}";

    private static final long LOOK_NANOS = 2_000_000;
    private static final int ROUNDS_MAX = 10;

    private final boolean modern;
    private final Wire wire;
    private final SchemaCheck schema;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<JsonTree, JsonTree> answers = new ConcurrentHashMap<>();
    private final List<JsonTree> notices = new CopyOnWriteArrayList<>();
    private final List<JsonTree> questions = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Map<String, String> replies = new ConcurrentHashMap<>();
    private final Map<String, String> listens = new HashMap<>();
    private volatile String capabilities = ABLE;
    private volatile String meta = "";

    EraClient(boolean modern, Wire wire) {
        this.modern = modern;
        this.wire = wire;
        this.schema = SchemaCheck.ofClient(modern ? Messages.MODERN : "2025-11-25");
        replies.put(
                "sampling/createMessage",
                "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"sampled\"},"
                        + "\"model\":\"m\"}");
        replies.put("elicitation/create", "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
        replies.put("roots/list", "{\"roots\":[{\"uri\":\"file:///r\"}]}");
        wire.open(this::received);
    }

    boolean isModern() {
        return modern;
    }

    Wire wire() {
        return wire;
    }

    /** What this client declares; for a legacy one before its handshake. */
    EraClient declaring(String declared) {
        capabilities = declared;
        return this;
    }

    /** The members that every modern request has more in its {@code _meta}. */
    EraClient withMeta(String members) {
        meta = members;
        return this;
    }

    /** Says what this client answers to a question. */
    EraClient answering(String method, String result) {
        replies.put(method, result);
        return this;
    }

    /** Greets the gateway, if its era does so. */
    EraClient begin() {
        return begin("2025-11-25");
    }

    EraClient begin(String version) {
        if (!modern) {
            String params =
                    "{\"protocolVersion\":\"%s\",\"capabilities\":%s,\"clientInfo\":%s}"
                            .formatted(version, capabilities, "{\"name\":\"k\",\"version\":\"1\"}");
            assertThat(request("initialize", params).has("result")).isTrue();
            say(Messages.notification("notifications/initialized", ""));
        }
        return this;
    }

    /** Sends a request; the id it went under, as spelled. */
    String send(String method, String params) {
        String id = "\"c" + ids.incrementAndGet() + "\"";
        String whole = params;
        if (modern) {
            String given =
                    meta.isEmpty() ? params : withMembers(params, "\"_meta\":{" + meta + "}");
            whole = Messages.modernParams(given, capabilities);
        }
        say(Messages.request(id, method, whole));
        return id;
    }

    private void say(String json) {
        schema.heard(json);
        wire.send(json);
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

    /** The whole answer to a request. */
    JsonTree answer(String rawId) {
        JsonTree id = StrictJson.parse(rawId);
        assertThat(await(() -> answers.containsKey(id)))
                .as("An answer to %s; heard %s, asked %s", rawId, notices, questions)
                .isTrue();
        return answers.get(id);
    }

    boolean isAnswered(String rawId) {
        return answers.containsKey(StrictJson.parse(rawId));
    }

    JsonTree request(String method, String params) {
        return answer(send(method, params));
    }

    /** Requests, and answers the questions of all rounds if the answer is one. */
    JsonTree complete(String method, String params) {
        JsonTree answer = request(method, params);
        for (int round = 0; round < ROUNDS_MAX && isQuestion(answer); round++) {
            answer = request(method, answered(params, answer.at("result")));
        }
        return answer;
    }

    static boolean isQuestion(JsonTree answer) {
        return answer.find("result", "resultType")
                .equals(Optional.of(new JsonTree.Str("input_required")));
    }

    /** The params of the next round. */
    String answered(String params, JsonTree asked) {
        var responses = new ArrayList<String>();
        if (asked.find("inputRequests").orElse(JsonTree.Literal.NULL)
                instanceof JsonTree.Obj requests) {
            for (JsonTree.Member question : requests.members()) {
                questions.add(question.value());
                String method = question.value().at("method").text();
                responses.add(
                        StrictJson.quote(question.name())
                                + ":"
                                + replies.getOrDefault(method, "{}"));
            }
        }
        String state =
                asked.find("requestState").map(it -> ",\"requestState\":" + it.write()).orElse("");
        return withMembers(
                params, "\"inputResponses\":{" + String.join(",", responses) + "}" + state);
    }

    /** Calls a tool to its end: the result. */
    JsonTree call(String tool, String arguments) {
        return complete("tools/call", Messages.callParams(tool, arguments)).at("result");
    }

    /** The text of a tool's first content. */
    String text(String tool, String arguments) {
        return call(tool, arguments).at("content", 0, "text").text();
    }

    /** Asks to be told of a resource; false if that is refused. */
    boolean subscribe(String uri) {
        if (!modern) {
            return request("resources/subscribe", uriParams(uri)).has("result");
        }
        String filter =
                "{\"notifications\":{\"resourceSubscriptions\":[" + StrictJson.quote(uri) + "]}}";
        String id = send("subscriptions/listen", filter);
        listens.put(uri, id);
        JsonTree ack =
                awaitNotice("notifications/subscriptions/acknowledged", tree -> isTagged(tree, id));
        return ack.find("params", "notifications", "resourceSubscriptions", 0)
                .equals(Optional.of(new JsonTree.Str(uri)));
    }

    void unsubscribe(String uri) {
        if (modern) {
            wire.giveUp(listens.getOrDefault(uri, ""));
        } else {
            assertThat(request("resources/unsubscribe", uriParams(uri)).has("result")).isTrue();
        }
    }

    static String uriParams(String uri) {
        return "{\"uri\":" + StrictJson.quote(uri) + "}";
    }

    /** Whether a notification has the mark of a subscription. */
    static boolean isTagged(JsonTree notice, String rawId) {
        return notice.find("params", "_meta", "io.modelcontextprotocol/subscriptionId")
                .equals(Optional.of(StrictJson.parse(rawId)));
    }

    /** The notifications of a method so far. */
    List<JsonTree> notices(String method) {
        var wanted = Optional.of(new JsonTree.Str(method));
        return notices.stream().filter(tree -> tree.member("method").equals(wanted)).toList();
    }

    JsonTree awaitNotice(String method, Predicate<JsonTree> fits) {
        assertThat(await(() -> notices(method).stream().anyMatch(fits)))
                .as("%s among %s", method, notices)
                .isTrue();
        return notices(method).stream().filter(fits).findFirst().orElseThrow();
    }

    /** What the client was asked so far. */
    List<JsonTree> questions() {
        return questions;
    }

    /** What was wrong with what this client received. */
    List<String> faults() {
        return faults;
    }

    static boolean await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    private void received(JsonTree message) {
        schema.said(message.write());
        if (!message.has("method")) {
            if (answers.put(message.find("id").orElse(JsonTree.Literal.NULL), message) != null) {
                faults.add("Answered twice: " + message);
            }
            if (message.has("result") && message.at("result").has("resultType") != modern) {
                faults.add("The result of the other era: " + message);
            }
        } else if (!message.has("id")) {
            notices.add(message);
        } else if (modern) {
            faults.add("A request to a modern client: " + message);
        } else {
            questions.add(message);
            String reply = replies.get(message.at("method").text());
            String body =
                    reply == null || reply.isEmpty()
                            ? "\"error\":{\"code\":-1,\"message\":\"no\"}"
                            : "\"result\":" + reply;
            Thread.ofVirtual()
                    .start(
                            () ->
                                    say(
                                            "{\"jsonrpc\":\"2.0\",\"id\":"
                                                    + message.at("id").write()
                                                    + ","
                                                    + body
                                                    + "}"));
        }
    }

    @Override
    public void close() {
        wire.close();
        assertThat(faults).isEmpty();
        assertThat(schema.faults()).isEmpty();
    }
}

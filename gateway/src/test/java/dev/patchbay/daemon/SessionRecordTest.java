package dev.patchbay.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.daemon.RelayedRequest.Line;
import dev.patchbay.daemon.SessionRecord.Loss;
import dev.patchbay.daemon.SessionRecord.Route;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

class SessionRecordTest {
    private static final Decoder DECODER = new Decoder(JsonLimits.DEFAULTS);

    private final SessionRecord record = new SessionRecord("relay-");

    private static Line line(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Line(bytes, bytes.length);
    }

    private static DecodedFrame frame(String text) {
        Line line = line(text);
        return DECODER.decode(line.bytes(), 0, line.length());
    }

    private static String request(String id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}"
                .formatted(id, method, params);
    }

    private Route send(String text, int link) {
        Route route = record.onClientFrame(frame(text), line(text), link);
        if (route instanceof Route.Forward(_, RelayedRequest request) && request != null) {
            record.markSent(request);
        }
        return route;
    }

    private boolean receive(String text, int link) {
        return record.onGatewayFrame(frame(text), link);
    }

    private void initialize(String version) {
        send(request("\"init\"", "initialize", "{\"protocolVersion\":\"" + version + "\"}"), 1);
        receive(
                "{\"jsonrpc\":\"2.0\",\"id\":\"init\",\"result\":{\"protocolVersion\":\""
                        + version
                        + "\"}}",
                1);
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 1);
    }

    private static List<String> texts(List<EncodedJson> messages) {
        return messages.stream().map(EncodedJson::toString).toList();
    }

    @Test
    void answersSentCallWithUnknownExecution() {
        send(request("7", "tools/call", "{\"name\":\"a.b\"}"), 1);
        Loss loss = record.onLinkEnded(1);
        assertThat(loss.toRepeat()).isEmpty();
        assertThat(texts(loss.toClient()))
                .singleElement()
                .asString()
                .contains("\"id\":7", "\"isError\":true", "\"execution\":\"unknown\"");
        assertThat(record.hasPending()).isFalse();
    }

    @Test
    void repeatsCallThatWasNotSent() {
        String call = request("7", "tools/call", "{\"name\":\"a.b\"}");
        record.onClientFrame(frame(call), line(call), 1);
        Loss loss = record.onLinkEnded(1);
        assertThat(loss.toClient()).isEmpty();
        assertThat(loss.toRepeat()).hasSize(1);
        assertThat(record.moveTo(loss.toRepeat().getFirst(), 2)).isTrue();
        record.markSent(loss.toRepeat().getFirst());
        assertThat(record.onLinkEnded(2).toClient()).hasSize(1);
    }

    @Test
    void repeatsReadsThatWereSent() {
        send(request("7", "resources/read", "{\"uri\":\"a:b\"}"), 1);
        assertThat(record.onLinkEnded(1).toRepeat()).hasSize(1);
    }

    @Test
    void answersOtherMethodsWithErrorThatNamesTheExecution() {
        send(request("\"x\"", "tasks/update", "{}"), 1);
        assertThat(texts(record.onLinkEnded(1).toClient()))
                .singleElement()
                .asString()
                .contains("\"id\":\"x\"", "-32603", "\"execution\":\"unknown\"");
    }

    @Test
    void givesModernClientCompleteResult() {
        String params =
                "{\"name\":\"a\",\"_meta\":"
                        + "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}";
        send(request("7", "tools/call", params), 1);
        assertThat(texts(record.onLinkEnded(1).toClient()).getFirst())
                .contains("\"resultType\":\"complete\"");
    }

    @Test
    void rejectsIdThatIsInUse() {
        send(request("7", "tools/call", "{}"), 1);
        assertThat(send(request("7", "tools/list", "{}"), 1))
                .isInstanceOfSatisfying(
                        Route.Answer.class,
                        answer -> assertThat(answer.answer().toString()).contains("in use"));
        assertThat(receive("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}", 1)).isTrue();
        assertThat(send(request("7", "tools/list", "{}"), 1)).isInstanceOf(Route.Forward.class);
    }

    @Test
    void answersMalformedLineWithoutGateway() {
        assertThat(send("\"move\"", 1)).isInstanceOf(Route.Answer.class);
        assertThat(send("{\"jsonrpc\":\"2.0\",\"id\":3}", 1))
                .isInstanceOfSatisfying(
                        Route.Answer.class,
                        answer -> assertThat(answer.answer().toString()).contains("\"id\":3"));
    }

    @Test
    void restoresHandshakeLevelAndSubscriptions() {
        initialize("2025-11-25");
        send(request("1", "logging/setLevel", "{\"level\":\"debug\"}"), 1);
        receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", 1);
        for (String uri : List.of("a:1", "a:2", "a:3")) {
            send(request("\"" + uri + "\"", "resources/subscribe", uriParams(uri)), 1);
            if (!uri.equals("a:3")) {
                receive("{\"jsonrpc\":\"2.0\",\"id\":\"" + uri + "\",\"result\":{}}", 1);
            }
        }
        send(request("2", "resources/unsubscribe", uriParams("a:1")), 1);
        receive("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}", 1);
        record.onLinkEnded(1);
        List<String> restored = texts(record.restoringMessages());
        assertThat(restored).hasSize(4);
        assertThat(restored.get(0)).contains("initialize", "2025-11-25");
        assertThat(restored.get(1)).contains("notifications/initialized");
        assertThat(restored.get(2)).contains("debug");
        assertThat(restored.get(3)).contains("a:2");
        assertThat(receive(answerTo(restored.get(0)), 2)).as("the relay's own answer").isFalse();
        assertThat(texts(record.missedNotifications()))
                .hasSize(4)
                .anyMatch(text -> text.contains("tools/list_changed"))
                .anyMatch(text -> text.contains("a:2"));
    }

    private static String uriParams(String uri) {
        return "{\"uri\":\"" + uri + "\"}";
    }

    private static String answerTo(String request) {
        Json id = Json.of(request).member("id");
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
    }

    @Test
    void repeatsHandshakeThatClientDidNotWaitFor() {
        send(request("1", "initialize", "{}"), 1);
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 1);
        assertThat(record.onLinkEnded(1).toRepeat()).hasSize(1);
        assertThat(record.restoringMessages()).isEmpty();
        assertThat(record.messagesAfterRepeats()).hasSize(1);
    }

    @Test
    void routesAnswersOfClientToTheGatewayThatAsked() {
        receive("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"roots/list\"}", 1);
        assertThat(record.nextQuestionId()).isEqualTo(5);
        assertThat(send("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}", 2))
                .isEqualTo(new Route.Forward(1, null));
        assertThat(send("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}", 2))
                .isInstanceOf(Route.Drop.class);
    }

    @Test
    void cancelsQuestionsOfGatewayThatEnded() {
        receive("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"roots/list\"}", 1);
        assertThat(texts(record.onLinkEnded(1).toClient()))
                .singleElement()
                .asString()
                .contains("notifications/cancelled", "\"requestId\":4");
        assertThat(send("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}", 2))
                .isInstanceOf(Route.Drop.class);
    }

    @Test
    void sendsCancellationToTheGatewayThatHasTheRequest() {
        send(request("7", "tools/call", "{}"), 1);
        String cancel =
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                        + "\"params\":{\"requestId\":7}}";
        assertThat(send(cancel, 2)).isEqualTo(new Route.Forward(1, null));
        assertThat(record.onLinkEnded(1).toClient()).isEmpty();
    }

    @Test
    void answersLostBatchAsWhole() {
        initialize("2025-03-26");
        send("[" + request("1", "ping", "{}") + "," + request("2", "tools/call", "{}") + "]", 1);
        List<String> answers = texts(record.onLinkEnded(1).toClient());
        assertThat(answers).hasSize(1);
        assertThat(Json.of(answers.getFirst()).elements()).hasSize(2);
    }

    @Test
    void refusesBatchInOtherVersions() {
        initialize("2025-11-25");
        assertThat(send("[" + request("1", "ping", "{}") + "]", 1))
                .isInstanceOf(Route.Answer.class);
    }

    /** The gateways end at random moments, and move clients; each request has one answer. */
    @RepeatedTest(60)
    void everyRequestGetsOneAnswer(RepetitionInfo repetition) {
        long seed = repetition.getCurrentRepetition();
        new RandomSession(new SessionRecord("relay-"), new Random(seed)).run(seed);
    }

    /** A client, and gateways that answer, die and move at random. */
    private static final class RandomSession {
        private static final List<String> METHODS =
                List.of("tools/call", "tools/list", "ping", "resources/read", "tasks/update");

        private final SessionRecord record;
        private final Random random;
        private final Map<Long, Integer> answers = new HashMap<>();
        private final Map<Long, Integer> executions = new HashMap<>();
        private final Map<Long, String> methods = new HashMap<>();

        /** The ids that each living gateway has read and not answered. */
        private final Map<Integer, List<Long>> gateways = new HashMap<>();

        private int current = 1;
        private long nextId;

        RandomSession(SessionRecord record, Random random) {
            this.record = record;
            this.random = random;
            gateways.put(1, new ArrayList<>());
        }

        void run(long seed) {
            for (int step = 0; step < 200; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1, 2 -> sendRequest();
                    case 3, 4 -> answerSomething();
                    default -> endOrMove();
                }
            }
            while (record.hasPending()) {
                answerSomething();
            }
            for (long id = 0; id < nextId; id++) {
                assertThat(answers.getOrDefault(id, 0)).as("seed %d, id %d", seed, id).isOne();
                if (!List.of("tools/list", "ping", "resources/read").contains(methods.get(id))) {
                    assertThat(executions.getOrDefault(id, 0))
                            .as("seed %d, id %d", seed, id)
                            .isLessThanOrEqualTo(1);
                }
            }
            assertThat(record.hasPending()).isFalse();
        }

        private void sendRequest() {
            long id = nextId++;
            String method = METHODS.get(random.nextInt(METHODS.size()));
            methods.put(id, method);
            String text = request(Long.toString(id), method, "{}");
            Route route = record.onClientFrame(frame(text), line(text), current);
            if (route instanceof Route.Forward(int link, RelayedRequest request)
                    && request != null
                    && random.nextInt(8) > 0) {
                deliver(id, link);
                record.markSent(request);
            }
        }

        private void deliver(long id, int link) {
            executions.merge(id, 1, Integer::sum);
            gateways.get(link).add(id);
        }

        private void answerSomething() {
            var links = new ArrayList<>(gateways.keySet());
            int link = links.get(random.nextInt(links.size()));
            List<Long> waiting = gateways.get(link);
            if (waiting.isEmpty()) {
                // A request whose line was not sent: its link is broken.
                end(link);
                return;
            }
            long id = waiting.remove(random.nextInt(waiting.size()));
            String text = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
            if (record.onGatewayFrame(frame(text), link)) {
                answers.merge(id, 1, Integer::sum);
            }
        }

        private void endOrMove() {
            if (random.nextBoolean()) {
                end(current);
            } else {
                current++;
                gateways.put(current, new ArrayList<>());
            }
        }

        private void end(int link) {
            gateways.remove(link);
            Loss loss = record.onLinkEnded(link);
            loss.toClient().forEach(this::countAnswer);
            if (link == current) {
                current++;
                gateways.put(current, new ArrayList<>());
            }
            for (RelayedRequest request : loss.toRepeat()) {
                assertThat(record.moveTo(request, current)).isTrue();
                deliver(request.requests().getFirst().id().json().asLong(-1), current);
                record.markSent(request);
            }
        }

        private void countAnswer(EncodedJson message) {
            switch (Decoder.decode(message.toJson())) {
                case Success success -> count(success);
                case Failure failure -> count(failure);
                case Notification _, Request _ -> {}
                default -> throw new AssertionError(message);
            }
        }

        private void count(Response response) {
            answers.merge(response.id().json().asLong(-1), 1, Integer::sum);
        }
    }
}

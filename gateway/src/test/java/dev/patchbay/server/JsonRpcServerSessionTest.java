package dev.patchbay.server;

import static dev.patchbay.testkit.Await.becomesTrue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.time.Ticker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Calls, and what a server says besides its answers. */
class JsonRpcServerSessionTest {
    private static final int CALLS_MAX = 256;

    /** Keeps what it hears, and answers questions with their method. */
    private static final class RecordingCallListener implements CallListener {
        final List<String> received = new CopyOnWriteArrayList<>();

        @Override
        public boolean wantsProgress() {
            return true;
        }

        @Override
        public void onProgress(Json params) {
            received.add("progress " + params);
        }

        @Override
        public boolean onLogMessage(Json params) {
            return received.add("logged " + params);
        }

        @Override
        public Json requestInput(String method, Json params) throws InterruptedException {
            received.add("asked " + method);
            if (params.member("wait") != null) {
                new CountDownLatch(1).await();
            }
            return Json.of("{\"asked\":\"" + method + "\"}");
        }
    }

    /** Keeps what belongs to no call. */
    private static final class RecordingEventListener implements ServerEventListener {
        final List<String> received = new CopyOnWriteArrayList<>();

        @Override
        public void onListChanged(ServerId server, String list) {
            received.add("changed " + list);
        }

        @Override
        public void onResourceUpdated(ServerId server, Json params) {
            received.add("updated " + params);
        }

        @Override
        public void onLogMessage(ServerId server, Json params) {
            received.add("logged " + params);
        }

        @Override
        public void onNotification(ServerId server, String method, Json params) {
            received.add(method + " " + params);
        }
    }

    private final RecordingEventListener listener = new RecordingEventListener();
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private String announcedCapabilities = "{}";
    private FakeServer server = new FakeServer(FakeServer.LEGACY);

    @AfterEach
    void stopServer() {
        server.terminate();
        executor.shutdownNow();
    }

    @Test
    void routesProgressToItsCallAndDropsUnknownTokens() throws Exception {
        JsonRpcServerSession link = openSession(Era.LEGACY);
        var caller = new RecordingCallListener();
        var call = call(link, caller, null, 30_000);
        long token = callId("tools/call", 1);
        sendNotification(
                "notifications/progress", "{\"progressToken\":%d,\"progress\":1}".formatted(token));
        sendNotification("notifications/progress", "{\"progressToken\":999,\"progress\":2}");
        sendNotification("notifications/progress", "{\"progressToken\":\"%d\"}".formatted(token));
        answer(token, "{}");
        assertThat(call.get()).isInstanceOf(CallOutcome.Result.class);
        sendNotification(
                "notifications/progress", "{\"progressToken\":%d,\"progress\":3}".formatted(token));
        sendNotification("notifications/tools/list_changed", "{}");
        assertThat(becomesTrue(() -> listener.received.contains("changed tools"))).isTrue();
        assertThat(caller.received)
                .containsExactly("progress {\"progressToken\":%d,\"progress\":1}".formatted(token));
    }

    @Test
    void notifiesTheServerOfCancelledCalls() throws Exception {
        JsonRpcServerSession link = openSession(Era.LEGACY);
        var timedOut = call(link, CallListener.NONE, null, 100);
        assertThat(timedOut.get()).isInstanceOf(CallOutcome.TimedOut.class);
        var cancelled = call(link, CallListener.NONE, null, 30_000);
        long second = callId("tools/call", 2);
        cancelled.cancel(true);
        assertThat(becomesTrue(() -> server.params("notifications/cancelled").size() == 2))
                .isTrue();
        assertThat(server.params("notifications/cancelled").getLast())
                .hasToString("{\"requestId\":%d,\"reason\":\"Cancelled\"}".formatted(second));
        answer(callId("tools/call", 1), "{\"late\":true}");
        var next = call(link, CallListener.NONE, null, 30_000);
        answer(callId("tools/call", 3), "{\"next\":true}");
        assertThat(next.get()).isEqualTo(new CallOutcome.Result(Json.of("{\"next\":true}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[1]", "\"text\"", "7", "true"})
    void rejectsResultThatIsNotAnObject(String result) throws Exception {
        var call = call(openSession(Era.LEGACY), CallListener.NONE, null, 30_000);
        answer(callId("tools/call", 1), result);
        assertThat(call.get()).isInstanceOf(CallOutcome.InvalidResponse.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sampling/createMessage", "elicitation/create", "roots/list"})
    void routesInputRequestToTheOnlyCandidateCall(String method) throws Exception {
        JsonRpcServerSession link = openSession(Era.LEGACY);
        var caller = new RecordingCallListener();
        var _ = call(link, caller, null, 30_000);
        var _ = call(link, CallListener.NONE, null, 30_000);
        callId("tools/call", 2);
        server.sendMessage(
                "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"%s\"}".formatted(method));
        assertThat(responseTo("\"q\"")).contains("Success", "\"asked\":\"" + method + "\"");
        assertThat(caller.received).containsExactly("asked " + method);
    }

    @Test
    void rejectsInputRequestThatCouldBelongToTwoClients() throws Exception {
        JsonRpcServerSession link = openSession(Era.LEGACY);
        var one = new RecordingCallListener();
        var other = new RecordingCallListener();
        var _ = call(link, one, null, 30_000);
        var _ = call(link, other, null, 30_000);
        callId("tools/call", 2);
        server.sendMessage("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}");
        assertThat(responseTo("5"))
                .contains("-32603", "Calls of 2 clients are in progress", "roots/list");
        assertThat(one.received).isEmpty();
        assertThat(other.received).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ping, Success",
        "roots/list, -32601",
        "no/such, -32601",
    })
    void answersRequestsThatNeedNoClient(String method, String answer) throws Exception {
        openSession(Era.LEGACY);
        server.sendMessage("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"%s\"}".formatted(method));
        assertThat(responseTo("5")).contains(answer);
    }

    @Test
    void cancelsInputRequestWithItsCall() throws Exception {
        JsonRpcServerSession link = openSession(Era.LEGACY);
        var caller = new RecordingCallListener();
        var call = call(link, caller, null, 30_000);
        long id = callId("tools/call", 1);
        server.sendMessage(
                "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\",\"params\":{\"wait\":1}}");
        assertThat(becomesTrue(() -> !caller.received.isEmpty())).isTrue();
        answer(id, "{}");
        assertThat(call.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(responseTo("5")).contains("Failure");
    }

    @Test
    void neverAnswersRequestOfModernServer() throws Exception {
        JsonRpcServerSession link = openSession(Era.MODERN);
        server.sendMessage("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");
        server.sendMessage("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"roots/list\"}");
        sendNotification("notifications/tools/list_changed", "{}");
        assertThat(becomesTrue(() -> listener.received.contains("changed tools"))).isTrue();
        assertThat(server.received).noneMatch(Message.Response.class::isInstance);
        assertThat(link.isOpen()).isTrue();
    }

    @Test
    void callTimeoutIsPausedWhileServerWaitsForClient() throws Exception {
        JsonRpcServerSession link = openSession(Era.LEGACY);
        var caller = new RecordingCallListener();
        var asked = call(link, caller, null, 2_000);
        long id = callId("tools/call", 1);
        server.sendMessage(
                "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\",\"params\":{\"wait\":1}}");
        assertThat(becomesTrue(() -> caller.received.contains("asked roots/list"))).isTrue();
        assertThat(call(link, CallListener.NONE, null, 2_500).get())
                .isInstanceOf(CallOutcome.TimedOut.class);
        answer(id, "{}");
        assertThat(asked.get()).isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    void routesLogMessageToTheOnlyCandidateClient() throws Exception {
        JsonRpcServerSession link = openSession(Era.LEGACY);
        sendNotification("notifications/message", "{\"data\":1}");
        assertThat(becomesTrue(() -> listener.received.size() == 1)).isTrue();
        var one = new RecordingCallListener();
        var _ = call(link, one, "info", 30_000);
        var _ = call(link, one, null, 30_000);
        callId("tools/call", 2);
        sendNotification("notifications/message", "{\"data\":2}");
        assertThat(becomesTrue(() -> !one.received.isEmpty())).isTrue();
        var other = new RecordingCallListener();
        var _ = call(link, other, "info", 30_000);
        callId("tools/call", 3);
        sendNotification("notifications/message", "{\"data\":3}");
        sendNotification("notifications/tools/list_changed", "{}");
        assertThat(becomesTrue(() -> listener.received.contains("changed tools"))).isTrue();
        assertThat(one.received).containsExactly("logged {\"data\":2,\"logger\":\"s\"}");
        assertThat(other.received).isEmpty();
        assertThat(listener.received)
                .containsExactly("logged {\"data\":1,\"logger\":\"s\"}", "changed tools");
    }

    @Test
    void forwardsNotifications() throws Exception {
        openSession(Era.LEGACY);
        sendNotification("notifications/prompts/list_changed", "{}");
        sendNotification("notifications/resources/list_changed", "{}");
        sendNotification("notifications/resources/updated", "{\"uri\":\"u\"}");
        sendNotification("notifications/other", "{}");
        assertThat(becomesTrue(() -> listener.received.size() == 4)).isTrue();
        assertThat(listener.received)
                .containsExactly(
                        "changed prompts",
                        "changed resources",
                        "updated {\"uri\":\"u\"}",
                        "notifications/other {}");
    }

    @Test
    void subscribesToAnnouncedChangesOfModernServer() throws Exception {
        announcedCapabilities =
                """
                {"tools":{"listChanged":true},"prompts":{"listChanged":false},"resources":{}}\
                """;
        JsonRpcServerSession link = openSession(Era.MODERN);
        callId("subscriptions/listen", 1);
        assertThat(requests("subscriptions/listen").getFirst().params().toString())
                .startsWith("{\"notifications\":{\"toolsListChanged\":true},\"_meta\":");
        var options = CallOptions.internal(Duration.ofSeconds(30));
        Json uri = Json.of("{\"uri\":\"file:///a\"}");
        var subscribed = executor.submit(() -> link.call("resources/subscribe", uri, options));
        long id = callId("subscriptions/listen", 2);
        assertThat(subscribed.isDone()).isFalse();
        acknowledge(id, "\"file:\\/\\/\\/a\"");
        assertThat(subscribed.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(requests("subscriptions/listen").getLast().params().toString())
                .contains("\"resourceSubscriptions\":[\"file:///a\"]");
        link.call("resources/unsubscribe", uri, options);
        assertThat(becomesTrue(() -> !server.params("notifications/cancelled").isEmpty())).isTrue();
        assertThat(server.params("notifications/cancelled").getFirst().toString())
                .contains("\"requestId\":" + id);
        assertThat(requests("resources/subscribe")).isEmpty();
    }

    @Test
    void subscribeFailsWhenModernServerDeclines() throws Exception {
        JsonRpcServerSession link = openSession(Era.MODERN);
        var options = CallOptions.internal(Duration.ofSeconds(30));
        Json uri = Json.of("{\"uri\":\"file:///a\"}");
        var subscribed = executor.submit(() -> link.call("resources/subscribe", uri, options));
        acknowledge(callId("subscriptions/listen", 1), "");
        assertThat(subscribed.get()).isInstanceOf(CallOutcome.ErrorResponse.class);
        assertThat(becomesTrue(() -> !server.params("notifications/cancelled").isEmpty())).isTrue();
    }

    private void acknowledge(long id, String uris) throws Exception {
        sendNotification(
                "notifications/subscriptions/acknowledged",
                "{\"notifications\":{\"resourceSubscriptions\":[%s]},\"_meta\":{\"%s\":%d}}"
                        .formatted(uris, MetaKeys.SUBSCRIPTION_ID, id));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void limitsCallsInFlightAndWaitingCountsTowardsTheTimeout(Era era) throws Exception {
        JsonRpcServerSession link = openSession(era);
        for (int i = 0; i < CALLS_MAX; i++) {
            var _ = call(link, CallListener.NONE, null, 60_000);
        }
        callId("tools/call", CALLS_MAX);
        var tooMany = call(link, CallListener.NONE, null, 200);
        assertThat(tooMany.get(30, TimeUnit.SECONDS)).isInstanceOf(CallOutcome.NotSent.class);
        var waiting = call(link, CallListener.NONE, null, 30_000);
        answer(callId("tools/call", 1), "{}");
        answer(callId("tools/call", CALLS_MAX + 1), "{\"last\":1}");
        assertThat(waiting.get()).isEqualTo(new CallOutcome.Result(Json.of("{\"last\":1}")));
    }

    private JsonRpcServerSession openSession(Era era) throws Exception {
        var script = era == Era.MODERN ? FakeServer.MODERN : FakeServer.LEGACY;
        server =
                new FakeServer(
                        (method, params) ->
                                switch (method) {
                                    case "tools/call", "subscriptions/listen" ->
                                            FakeServer.NO_RESPONSE;
                                    default ->
                                            script.apply(method, params)
                                                    .replace("\"capabilities\":{}", capabilities());
                                });
        var policy = new QuestionPolicy(new ServerId("s"), false);
        var options = new SessionOptions(listener, policy, CALLS_MAX, Ticker.system());
        var link = JsonRpcServerSession.start(new ServerId("a"), server, options, _ -> {});
        var client = new Implementation("patchbay", "test");
        new Handshake(EraChoice.AUTO, client, new EraCache(Ticker.system()), Ticker.system())
                .perform(link, Duration.ofSeconds(30), false);
        return link;
    }

    private String capabilities() {
        return "\"capabilities\":" + announcedCapabilities;
    }

    private Future<CallOutcome> call(
            JsonRpcServerSession link, CallListener caller, String logLevel, long timeoutMs) {
        var options =
                new CallOptions(Duration.ofMillis(timeoutMs), caller, Json.EMPTY_OBJECT, logLevel);
        return executor.submit(() -> link.call("tools/call", Json.of("{\"name\":\"t\"}"), options));
    }

    /** The id of the nth request of a method, once it has been heard. */
    private long callId(String method, int nth) {
        assertThat(becomesTrue(() -> requests(method).size() >= nth)).isTrue();
        return requests(method).get(nth - 1).id().json().asLong(-1);
    }

    private List<Request> requests(String method) {
        return server.received.stream()
                .filter(Request.class::isInstance)
                .map(Request.class::cast)
                .filter(request -> request.method().equals(method))
                .toList();
    }

    private String responseTo(String id) {
        BooleanSupplier answered =
                () -> server.received.stream().anyMatch(m -> isResponseTo(m, id));
        assertThat(becomesTrue(answered)).isTrue();
        return server.received.stream()
                .filter(m -> isResponseTo(m, id))
                .toList()
                .getFirst()
                .toString();
    }

    private static boolean isResponseTo(Message message, String id) {
        return message instanceof Message.Response response && response.id().toString().equals(id);
    }

    private void sendNotification(String method, String params) {
        server.sendMessage(
                "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s}".formatted(method, params));
    }

    private void answer(long id, String result) {
        server.sendMessage("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}".formatted(id, result));
    }
}

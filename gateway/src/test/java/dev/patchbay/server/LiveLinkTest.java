package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.server.ServerSpec.EraChoice;

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
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Calls, and what a server says besides its answers. */
class LiveLinkTest {
    private static final int CALLS_MAX = 256;

    /** Keeps what it hears, and answers questions with their method. */
    private static final class Caller implements CallListener {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public boolean wantsProgress() {
            return true;
        }

        @Override
        public void progress(Json params) {
            heard.add("progress " + params);
        }

        @Override
        public boolean logged(Json params) {
            return heard.add("logged " + params);
        }

        @Override
        public Json ask(String method, Json params) throws InterruptedException {
            heard.add("asked " + method);
            if (params.member("wait") != null) {
                new CountDownLatch(1).await();
            }
            return Json.of("{\"asked\":\"" + method + "\"}");
        }
    }

    /** Keeps what belongs to no call. */
    private static final class Listener implements LinkListener {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public void listChanged(ServerId server, String list) {
            heard.add("changed " + list);
        }

        @Override
        public void resourceUpdated(ServerId server, Json params) {
            heard.add("updated " + params);
        }

        @Override
        public void logged(ServerId server, Json params) {
            heard.add("logged " + params);
        }

        @Override
        public void notified(ServerId server, String method, Json params) {
            heard.add(method + " " + params);
        }
    }

    private final Listener listener = new Listener();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private String announced = "{}";
    private FakeServer server = new FakeServer(FakeServer.LEGACY);

    @AfterEach
    void endEverything() {
        server.end();
        callers.shutdownNow();
    }

    @Test
    void mapsProgressToItsCallAndDropsAllOther() throws Exception {
        LiveLink link = link(Era.LEGACY);
        var caller = new Caller();
        var call = call(link, caller, null, 30_000);
        long token = callId("tools/call", 1);
        say("notifications/progress", "{\"progressToken\":%d,\"progress\":1}".formatted(token));
        say("notifications/progress", "{\"progressToken\":999,\"progress\":2}");
        say("notifications/progress", "{\"progressToken\":\"%d\"}".formatted(token));
        answer(token, "{}");
        assertThat(call.get()).isInstanceOf(CallOutcome.Result.class);
        say("notifications/progress", "{\"progressToken\":%d,\"progress\":3}".formatted(token));
        say("notifications/tools/list_changed", "{}");
        assertThat(comesTrue(() -> listener.heard.contains("changed tools"))).isTrue();
        assertThat(caller.heard)
                .containsExactly("progress {\"progressToken\":%d,\"progress\":1}".formatted(token));
    }

    @Test
    void tellsTheServerThatACallIsGivenUp() throws Exception {
        LiveLink link = link(Era.LEGACY);
        var timedOut = call(link, CallListener.SILENT, null, 100);
        assertThat(timedOut.get()).isInstanceOf(CallOutcome.TimedOut.class);
        var cancelled = call(link, CallListener.SILENT, null, 30_000);
        long second = callId("tools/call", 2);
        cancelled.cancel(true);
        assertThat(comesTrue(() -> server.params("notifications/cancelled").size() == 2)).isTrue();
        assertThat(server.params("notifications/cancelled").getLast())
                .hasToString("{\"requestId\":%d,\"reason\":\"Cancelled\"}".formatted(second));
        answer(callId("tools/call", 1), "{\"late\":true}");
        var next = call(link, CallListener.SILENT, null, 30_000);
        answer(callId("tools/call", 3), "{\"next\":true}");
        assertThat(next.get()).isEqualTo(new CallOutcome.Result(Json.of("{\"next\":true}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[1]", "\"text\"", "7", "true"})
    void doesNotTakeAResultThatIsNoObject(String result) throws Exception {
        var call = call(link(Era.LEGACY), CallListener.SILENT, null, 30_000);
        answer(callId("tools/call", 1), result);
        assertThat(call.get()).isInstanceOf(CallOutcome.Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sampling/createMessage", "elicitation/create", "roots/list"})
    void takesAQuestionToTheOneCallItCanBelongTo(String method) throws Exception {
        LiveLink link = link(Era.LEGACY);
        var caller = new Caller();
        var _ = call(link, caller, null, 30_000);
        var _ = call(link, CallListener.SILENT, null, 30_000);
        callId("tools/call", 2);
        server.say("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"%s\"}".formatted(method));
        assertThat(answerTo("\"q\"")).contains("Success", "\"asked\":\"" + method + "\"");
        assertThat(caller.heard).containsExactly("asked " + method);
    }

    @Test
    void refusesAQuestionThatCouldBelongToTwoClients() throws Exception {
        LiveLink link = link(Era.LEGACY);
        var one = new Caller();
        var other = new Caller();
        var _ = call(link, one, null, 30_000);
        var _ = call(link, other, null, 30_000);
        callId("tools/call", 2);
        server.say("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}");
        assertThat(answerTo("5"))
                .contains("-32603", "Calls of 2 clients are in flight", "roots/list");
        assertThat(one.heard).isEmpty();
        assertThat(other.heard).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ping, Success",
        "roots/list, -32601",
        "no/such, -32601",
    })
    void answersWhatNeedsNoClient(String method, String answer) throws Exception {
        link(Era.LEGACY);
        server.say("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"%s\"}".formatted(method));
        assertThat(answerTo("5")).contains(answer);
    }

    @Test
    void givesUpAQuestionWithItsCall() throws Exception {
        LiveLink link = link(Era.LEGACY);
        var caller = new Caller();
        var call = call(link, caller, null, 30_000);
        long id = callId("tools/call", 1);
        server.say(
                "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\",\"params\":{\"wait\":1}}");
        assertThat(comesTrue(() -> !caller.heard.isEmpty())).isTrue();
        answer(id, "{}");
        assertThat(call.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(answerTo("5")).contains("Failure");
    }

    @Test
    void neverAnswersARequestOfAModernServer() throws Exception {
        LiveLink link = link(Era.MODERN);
        server.say("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");
        server.say("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"roots/list\"}");
        say("notifications/tools/list_changed", "{}");
        assertThat(comesTrue(() -> listener.heard.contains("changed tools"))).isTrue();
        assertThat(server.heard).noneMatch(Message.Response.class::isInstance);
        assertThat(link.isOpen()).isTrue();
    }

    @Test
    void aCallsTimeStandsStillWhileItsServerWaitsForTheClient() throws Exception {
        LiveLink link = link(Era.LEGACY);
        var caller = new Caller();
        var asked = call(link, caller, null, 2_000);
        long id = callId("tools/call", 1);
        server.say(
                "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\",\"params\":{\"wait\":1}}");
        assertThat(comesTrue(() -> caller.heard.contains("asked roots/list"))).isTrue();
        assertThat(call(link, CallListener.SILENT, null, 2_500).get())
                .isInstanceOf(CallOutcome.TimedOut.class);
        answer(id, "{}");
        assertThat(asked.get()).isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    void takesALogToTheOneClientThatItCanBelongTo() throws Exception {
        LiveLink link = link(Era.LEGACY);
        say("notifications/message", "{\"data\":1}");
        assertThat(comesTrue(() -> listener.heard.size() == 1)).isTrue();
        var one = new Caller();
        var _ = call(link, one, "info", 30_000);
        var _ = call(link, one, null, 30_000);
        callId("tools/call", 2);
        say("notifications/message", "{\"data\":2}");
        assertThat(comesTrue(() -> !one.heard.isEmpty())).isTrue();
        var other = new Caller();
        var _ = call(link, other, "info", 30_000);
        callId("tools/call", 3);
        say("notifications/message", "{\"data\":3}");
        say("notifications/tools/list_changed", "{}");
        assertThat(comesTrue(() -> listener.heard.contains("changed tools"))).isTrue();
        assertThat(one.heard).containsExactly("logged {\"data\":2}");
        assertThat(other.heard).isEmpty();
        assertThat(listener.heard).containsExactly("logged {\"data\":1}", "changed tools");
    }

    @Test
    void passesNoticesOn() throws Exception {
        link(Era.LEGACY);
        say("notifications/prompts/list_changed", "{}");
        say("notifications/resources/list_changed", "{}");
        say("notifications/resources/updated", "{\"uri\":\"u\"}");
        say("notifications/other", "{}");
        assertThat(comesTrue(() -> listener.heard.size() == 4)).isTrue();
        assertThat(listener.heard)
                .containsExactly(
                        "changed prompts",
                        "changed resources",
                        "updated {\"uri\":\"u\"}",
                        "notifications/other {}");
    }

    @Test
    void asksAModernServerForTheChangesItAnnounces() throws Exception {
        announced =
                """
                {"tools":{"listChanged":true},"prompts":{"listChanged":false},"resources":{}}\
                """;
        LiveLink link = link(Era.MODERN);
        callId("subscriptions/listen", 1);
        assertThat(requests("subscriptions/listen").getFirst().params().toString())
                .startsWith("{\"notifications\":{\"toolsListChanged\":true},\"_meta\":");
        var options = CallOptions.own(Duration.ofSeconds(30));
        Json uri = Json.of("{\"uri\":\"file:///a\"}");
        var subscribed = callers.submit(() -> link.call("resources/subscribe", uri, options));
        long id = callId("subscriptions/listen", 2);
        assertThat(subscribed.isDone()).isFalse();
        acknowledge(id, "\"file:\\/\\/\\/a\"");
        assertThat(subscribed.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(requests("subscriptions/listen").getLast().params().toString())
                .contains("\"resourceSubscriptions\":[\"file:///a\"]");
        link.call("resources/unsubscribe", uri, options);
        assertThat(comesTrue(() -> !server.params("notifications/cancelled").isEmpty())).isTrue();
        assertThat(server.params("notifications/cancelled").getFirst().toString())
                .contains("\"requestId\":" + id);
        assertThat(requests("resources/subscribe")).isEmpty();
    }

    @Test
    void isToldWhenAModernServerWillNotTellOfAResource() throws Exception {
        LiveLink link = link(Era.MODERN);
        var options = CallOptions.own(Duration.ofSeconds(30));
        Json uri = Json.of("{\"uri\":\"file:///a\"}");
        var subscribed = callers.submit(() -> link.call("resources/subscribe", uri, options));
        acknowledge(callId("subscriptions/listen", 1), "");
        assertThat(subscribed.get()).isInstanceOf(CallOutcome.Refused.class);
        assertThat(comesTrue(() -> !server.params("notifications/cancelled").isEmpty())).isTrue();
    }

    private void acknowledge(long id, String uris) throws Exception {
        say(
                "notifications/subscriptions/acknowledged",
                "{\"notifications\":{\"resourceSubscriptions\":[%s]},\"_meta\":{\"%s\":%d}}"
                        .formatted(uris, MetaKeys.SUBSCRIPTION_ID, id));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void letsNoMoreThanSoManyCallsFlyAndTheOthersWaitInTheirOwnTime(Era era) throws Exception {
        LiveLink link = link(era);
        for (int i = 0; i < CALLS_MAX; i++) {
            var _ = call(link, CallListener.SILENT, null, 60_000);
        }
        callId("tools/call", CALLS_MAX);
        var tooMany = call(link, CallListener.SILENT, null, 200);
        assertThat(tooMany.get(30, TimeUnit.SECONDS)).isInstanceOf(CallOutcome.NotSent.class);
        var waiting = call(link, CallListener.SILENT, null, 30_000);
        answer(callId("tools/call", 1), "{}");
        answer(callId("tools/call", CALLS_MAX + 1), "{\"last\":1}");
        assertThat(waiting.get()).isEqualTo(new CallOutcome.Result(Json.of("{\"last\":1}")));
    }

    private LiveLink link(Era era) throws Exception {
        var script = era == Era.MODERN ? FakeServer.MODERN : FakeServer.LEGACY;
        server =
                new FakeServer(
                        (method, params) ->
                                switch (method) {
                                    case "tools/call", "subscriptions/listen" -> FakeServer.SILENCE;
                                    default ->
                                            script.apply(method, params)
                                                    .replace("\"capabilities\":{}", capabilities());
                                });
        var link = LiveLink.over(new ServerId("a"), server, listener, CALLS_MAX, _ -> {});
        var client = new Implementation("patchbay", "test");
        new Handshake(EraChoice.AUTO, client, new EraMemory())
                .agree(link, Duration.ofSeconds(30), false);
        return link;
    }

    private String capabilities() {
        return "\"capabilities\":" + announced;
    }

    private Future<CallOutcome> call(
            LiveLink link, CallListener caller, String logLevel, long timeoutMs) {
        var options =
                new CallOptions(Duration.ofMillis(timeoutMs), caller, Json.EMPTY_OBJECT, logLevel);
        return callers.submit(() -> link.call("tools/call", Json.of("{\"name\":\"t\"}"), options));
    }

    /** The id of the nth request of a method, once it has been heard. */
    private long callId(String method, int nth) {
        assertThat(comesTrue(() -> requests(method).size() >= nth)).isTrue();
        return requests(method).get(nth - 1).id().written().asLong(-1);
    }

    private List<Request> requests(String method) {
        return server.heard.stream()
                .filter(Request.class::isInstance)
                .map(Request.class::cast)
                .filter(request -> request.method().equals(method))
                .toList();
    }

    private String answerTo(String id) {
        BooleanSupplier answered = () -> server.heard.stream().anyMatch(m -> isAnswerTo(m, id));
        assertThat(comesTrue(answered)).isTrue();
        return server.heard.stream().filter(m -> isAnswerTo(m, id)).toList().getFirst().toString();
    }

    private static boolean isAnswerTo(Message message, String id) {
        return message instanceof Message.Response response && response.id().toString().equals(id);
    }

    private void say(String method, String params) {
        server.say(
                "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s}".formatted(method, params));
    }

    private void answer(long id, String result) {
        server.say("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}".formatted(id, result));
    }

    private static boolean comesTrue(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }
}

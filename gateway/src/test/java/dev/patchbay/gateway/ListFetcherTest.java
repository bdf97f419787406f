package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Listing;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The pages of lists, over a link that answers as a test says. */
class ListFetcherTest {
    private static final ServerId A = new ServerId("a");
    private static final Json TOOLS_ONLY = Json.of("{\"tools\":{}}");

    private final List<String> requests = new ArrayList<>();

    /** A link of a server with those capabilities whose answers a function makes. */
    private ServerSession session(
            ProtocolVersion version, Json offers, BiFunction<String, String, CallOutcome> answers) {
        var facts = new HandshakeResult(version, new Implementation("s", "1"), offers, null);
        return new FakeSession(facts, answers);
    }

    private ListFetcher.FetchedLists fetchTools(BiFunction<String, String, CallOutcome> answers)
            throws InterruptedException {
        ServerSession link = session(ProtocolVersion.V2025_11_25, TOOLS_ONLY, answers);
        return new ListFetcher(A, link, Duration.ofSeconds(5), GatewaySettings.PerServer.DEFAULTS)
                .fetch(Listing.empty(A));
    }

    private static CallOutcome result(String json) {
        return new CallOutcome.Result(Json.of(json));
    }

    @Test
    void followsCursorsAndReturnsThemUnchanged() throws Exception {
        ListFetcher.FetchedLists told =
                fetchTools(
                        (_, cursor) ->
                                switch (cursor) {
                                    case "" -> result("{\"tools\":[1],\"nextCursor\":\"\"}");
                                    case "\"\"" -> result("{\"tools\":[2],\"nextCursor\":7.0}");
                                    case "7.0" ->
                                            result("{\"tools\":[],\"nextCursor\":\"\\u0041\"}");
                                    default -> result("{\"tools\":[3],\"nextCursor\":null}");
                                });
        assertThat(told.lists().tools()).extracting(Json::toString).containsExactly("1", "2", "3");
        assertThat(told.failure()).isNull();
        assertThat(requests).hasSize(4).endsWith("tools/list {\"cursor\":\"\\u0041\"}");
    }

    @Test
    void listIsTruncatedAtEightMebibytes() throws Exception {
        String megabyte = "\"" + "x".repeat(1 << 20) + "\"";
        ListFetcher.FetchedLists told =
                fetchTools(
                        (_, _) ->
                                result(
                                        "{\"tools\":[%s],\"nextCursor\":%d}"
                                                .formatted(megabyte, requests.size())));
        assertThat(told.hasTools()).isTrue();
        assertThat(told.lists().tools()).hasSize(8);
    }

    @Test
    void acceptsListsWithTooDeepEntriesButNoOtherTooDeepResult() throws Exception {
        Json list = Json.of("{\"tools\":[1,2]}");
        ListFetcher.FetchedLists told =
                fetchTools((_, _) -> new CallOutcome.InvalidResponse("too deep", list));
        assertThat(told.lists().tools()).hasSize(2);
        assertThat(told.failure()).isNull();
        Json cursor = Json.of("{\"tools\":[1],\"nextCursor\":[[[[[[[[[1]]]]]]]]]}");
        for (Json other : List.of(Json.of("{\"x\":1}"), Json.of("[1]"), cursor)) {
            told = fetchTools((_, _) -> new CallOutcome.InvalidResponse("too deep", other));
            assertThat(told.hasTools()).isFalse();
            assertThat(told.failure().message()).contains("too deep");
        }
    }

    @Test
    void fetchesOnlyDeclaredCapabilities() throws Exception {
        fetchTools((_, _) -> result("{\"tools\":[]}"));
        assertThat(requests).containsExactly("tools/list {}");
    }

    @Test
    void methodNotFoundIsAnEmptyListButOtherErrorsAreFailures() throws Exception {
        ServerSession link =
                session(
                        ProtocolVersion.V2025_11_25,
                        Json.of("{\"tools\":{},\"resources\":{},\"prompts\":{}}"),
                        (method, _) ->
                                switch (method) {
                                    case "tools/list" -> result("{\"tools\":[1]}");
                                    case "prompts/list" ->
                                            new CallOutcome.ErrorResponse(
                                                    RpcError.of(-32_000, "later"));
                                    default ->
                                            new CallOutcome.ErrorResponse(
                                                    RpcError.of(-32_601, "not found"));
                                });
        ListFetcher.FetchedLists told =
                new ListFetcher(A, link, Duration.ofSeconds(5), GatewaySettings.PerServer.DEFAULTS)
                        .fetch(Listing.empty(A));
        assertThat(told.hasTools()).isTrue();
        assertThat(told.lists().tools()).hasSize(1);
        assertThat(told.failure().operation()).isEqualTo("prompts/list");
        assertThat(told.failure().message()).contains("later");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{}", "{\"tools\":null}", "{\"tools\":{}}", "{\"resources\":[]}"})
    void resultWithoutTheListIsAFailure(String result) throws Exception {
        ListFetcher.FetchedLists told = fetchTools((_, _) -> result(result));
        assertThat(told.hasTools()).isFalse();
        assertThat(told.failure()).isNotNull();
    }

    @Test
    void failureOnALaterPageFailsTheList() throws Exception {
        ListFetcher.FetchedLists told =
                fetchTools(
                        (_, cursor) ->
                                cursor.isEmpty()
                                        ? result("{\"tools\":[1],\"nextCursor\":\"2\"}")
                                        : new CallOutcome.TimedOut());
        assertThat(told.hasTools()).isFalse();
        assertThat(told.failure().message()).contains("Server a").contains("in time");
    }

    @Test
    void failedListKeepsItsPreviousEntries() throws Exception {
        ServerSession first =
                session(
                        ProtocolVersion.V2025_11_25,
                        TOOLS_ONLY,
                        (_, _) -> result("{\"tools\":[{\"name\":\"x\"}]}"));
        var before =
                Listing.of(
                        A,
                        new ListFetcher(
                                        A,
                                        first,
                                        Duration.ofSeconds(5),
                                        GatewaySettings.PerServer.DEFAULTS)
                                .fetch(Listing.empty(A))
                                .lists());
        ServerSession second =
                session(
                        ProtocolVersion.V2025_11_25,
                        TOOLS_ONLY,
                        (_, _) -> new CallOutcome.ConnectionLost("x"));
        ListFetcher.FetchedLists told =
                new ListFetcher(
                                A,
                                second,
                                Duration.ofSeconds(5),
                                GatewaySettings.PerServer.DEFAULTS)
                        .fetch(before);
        assertThat(told.hasTools()).isFalse();
        assertThat(told.lists().tools()).hasSize(1);
    }

    /** The shortest hint of all pages counts; one that is absent or wrong is none. */
    @ParameterizedTest
    @CsvSource({"5000,9000,5000", "9000,-3,0", "9000,\"x\",0", "99999999999,9000,9000"})
    void modernServerSetsTheTtlOfItsList(String first, String second, long expected)
            throws Exception {
        ServerSession link =
                session(
                        ProtocolVersion.V2026_07_28,
                        TOOLS_ONLY,
                        (_, cursor) ->
                                cursor.isEmpty()
                                        ? result(
                                                "{\"tools\":[],\"nextCursor\":\"2\",\"ttlMs\":"
                                                        + first
                                                        + "}")
                                        : result("{\"tools\":[],\"ttlMs\":" + second + "}"));
        ListFetcher.FetchedLists told =
                new ListFetcher(A, link, Duration.ofSeconds(5), GatewaySettings.PerServer.DEFAULTS)
                        .fetch(Listing.empty(A));
        assertThat(told.freshFor()).isEqualTo(Duration.ofMillis(expected));
    }

    @Test
    void legacyServerSetsNoTtl() throws Exception {
        assertThat(fetchTools((_, _) -> result("{\"tools\":[],\"ttlMs\":5}")).freshFor()).isNull();
    }

    /** A session that answers by a function. */
    private final class FakeSession implements ServerSession {
        private final HandshakeResult facts;
        private final BiFunction<String, String, CallOutcome> answers;

        FakeSession(HandshakeResult facts, BiFunction<String, String, CallOutcome> answers) {
            this.facts = facts;
            this.answers = answers;
        }

        @Override
        public HandshakeResult handshakeResult() {
            return facts;
        }

        @Override
        public CallOutcome call(String method, Json params, CallOptions options) {
            requests.add(method + " " + params);
            Json cursor = params.member("cursor");
            return answers.apply(method, cursor == null ? "" : cursor.toString());
        }

        @Override
        public SendResult send(
                String method,
                Json params,
                CallOptions options,
                Duration patience,
                Consumer<CallOutcome> receiver) {
            throw new AssertionError("Lists are fetched by waiting calls");
        }

        @Override
        public void sendNotification(String method, Json params) {}

        @Override
        public int inFlightCount() {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close(String why) {}
    }
}

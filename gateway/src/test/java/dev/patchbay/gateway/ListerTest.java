package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Listing;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.Link;
import dev.patchbay.server.LinkFacts;
import dev.patchbay.server.ServerId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** The pages of lists, over a link that answers as a test says. */
class ListerTest {
    private static final ServerId A = new ServerId("a");
    private static final Json TOOLS_ONLY = Json.of("{\"tools\":{}}");

    private final List<String> asked = new ArrayList<>();

    /** A link of a server with those capabilities whose answers a function makes. */
    private Link link(
            ProtocolVersion version, Json offers, BiFunction<String, String, CallOutcome> answers) {
        var facts = new LinkFacts(version, new Implementation("s", "1"), offers, null);
        return new Link() {
            @Override
            public LinkFacts facts() {
                return facts;
            }

            @Override
            public CallOutcome call(String method, Json params, CallOptions options) {
                asked.add(method + " " + params);
                Json cursor = params.member("cursor");
                return answers.apply(method, cursor == null ? "" : cursor.toString());
            }

            @Override
            public void notify(String method, Json params) {}

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close(String why) {}
        };
    }

    private Lister.Told tools(BiFunction<String, String, CallOutcome> answers)
            throws InterruptedException {
        Link link = link(ProtocolVersion.V2025_11_25, TOOLS_ONLY, answers);
        return new Lister(A, link, Duration.ofSeconds(5), GatewaySettings.PerServer.DEFAULTS)
                .ask(Listing.empty(A));
    }

    private static CallOutcome result(String json) {
        return new CallOutcome.Result(Json.of(json));
    }

    @Test
    void goesOnAsLongAsThereIsACursorAndGivesItBackAsWritten() throws Exception {
        Lister.Told told =
                tools(
                        (_, cursor) ->
                                switch (cursor) {
                                    case "" -> result("{\"tools\":[1],\"nextCursor\":\"\"}");
                                    case "\"\"" -> result("{\"tools\":[2],\"nextCursor\":7.0}");
                                    case "7.0" ->
                                            result("{\"tools\":[],\"nextCursor\":\"\\u0041\"}");
                                    default -> result("{\"tools\":[3],\"nextCursor\":null}");
                                });
        assertThat(told.lists().tools()).extracting(Json::toString).containsExactly("1", "2", "3");
        assertThat(told.trouble()).isNull();
        assertThat(asked).hasSize(4).endsWith("tools/list {\"cursor\":\"\\u0041\"}");
    }

    @Test
    void aListEndsWhereItGetsLongerThanSixteenMebibytes() throws Exception {
        String megabyte = "\"" + "x".repeat(1 << 20) + "\"";
        Lister.Told told =
                tools(
                        (_, _) ->
                                result(
                                        "{\"tools\":[%s],\"nextCursor\":%d}"
                                                .formatted(megabyte, asked.size())));
        assertThat(told.complete()).isTrue();
        assertThat(told.lists().tools()).hasSize(16);
    }

    @Test
    void takesTheEntriesOfAListThatNestsTooDeepButNoOtherResult() throws Exception {
        Json list = Json.of("{\"tools\":[1,2]}");
        Lister.Told told = tools((_, _) -> new CallOutcome.Invalid("too deep", list));
        assertThat(told.lists().tools()).hasSize(2);
        assertThat(told.trouble()).isNull();
        Json cursor = Json.of("{\"tools\":[1],\"nextCursor\":[[[[[[[[[1]]]]]]]]]}");
        for (Json other : List.of(Json.of("{\"x\":1}"), Json.of("[1]"), cursor)) {
            told = tools((_, _) -> new CallOutcome.Invalid("too deep", other));
            assertThat(told.complete()).isFalse();
            assertThat(told.trouble().message()).contains("too deep");
        }
    }

    @Test
    void asksOnlyForWhatTheServerSaysItHas() throws Exception {
        tools((_, _) -> result("{\"tools\":[]}"));
        assertThat(asked).containsExactly("tools/list {}");
    }

    @Test
    void aMethodThatIsNotThereIsAnEmptyListButNoOtherErrorIs() throws Exception {
        Link link =
                link(
                        ProtocolVersion.V2025_11_25,
                        Json.of("{\"tools\":{},\"resources\":{},\"prompts\":{}}"),
                        (method, _) ->
                                switch (method) {
                                    case "tools/list" -> result("{\"tools\":[1]}");
                                    case "prompts/list" ->
                                            new CallOutcome.Refused(RpcError.of(-32_000, "later"));
                                    default ->
                                            new CallOutcome.Refused(
                                                    RpcError.of(-32_601, "not found"));
                                });
        Lister.Told told =
                new Lister(A, link, Duration.ofSeconds(5), GatewaySettings.PerServer.DEFAULTS)
                        .ask(Listing.empty(A));
        assertThat(told.complete()).isTrue();
        assertThat(told.lists().tools()).hasSize(1);
        assertThat(told.trouble().operation()).isEqualTo("prompts/list");
        assertThat(told.trouble().message()).contains("later");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{}", "{\"tools\":null}", "{\"tools\":{}}", "{\"resources\":[]}"})
    void aResultWithoutTheListIsAFailureAndNoEmptyList(String result) throws Exception {
        Lister.Told told = tools((_, _) -> result(result));
        assertThat(told.complete()).isFalse();
        assertThat(told.trouble()).isNotNull();
    }

    @Test
    void aFailureOnALaterPageFailsTheList() throws Exception {
        Lister.Told told =
                tools(
                        (_, cursor) ->
                                cursor.isEmpty()
                                        ? result("{\"tools\":[1],\"nextCursor\":\"2\"}")
                                        : new CallOutcome.TimedOut());
        assertThat(told.complete()).isFalse();
        assertThat(told.trouble().message()).contains("Server a").contains("in time");
    }

    @Test
    void whatCouldNotBeGotStaysAsItWas() throws Exception {
        Link first =
                link(
                        ProtocolVersion.V2025_11_25,
                        TOOLS_ONLY,
                        (_, _) -> result("{\"tools\":[{\"name\":\"x\"}]}"));
        var before =
                Listing.of(
                        A,
                        new Lister(
                                        A,
                                        first,
                                        Duration.ofSeconds(5),
                                        GatewaySettings.PerServer.DEFAULTS)
                                .ask(Listing.empty(A))
                                .lists());
        Link second =
                link(ProtocolVersion.V2025_11_25, TOOLS_ONLY, (_, _) -> new CallOutcome.Lost("x"));
        Lister.Told told =
                new Lister(A, second, Duration.ofSeconds(5), GatewaySettings.PerServer.DEFAULTS)
                        .ask(before);
        assertThat(told.complete()).isFalse();
        assertThat(told.lists().tools()).hasSize(1);
    }

    /** The shortest hint of all pages counts; one that is absent or wrong is none. */
    @ParameterizedTest
    @CsvSource({"5000,9000,5000", "9000,-3,0", "9000,\"x\",0", "99999999999,9000,9000"})
    void aModernServerSaysHowLongItsListHolds(String first, String second, long expected)
            throws Exception {
        Link link =
                link(
                        ProtocolVersion.V2026_07_28,
                        TOOLS_ONLY,
                        (_, cursor) ->
                                cursor.isEmpty()
                                        ? result(
                                                "{\"tools\":[],\"nextCursor\":\"2\",\"ttlMs\":"
                                                        + first
                                                        + "}")
                                        : result("{\"tools\":[],\"ttlMs\":" + second + "}"));
        Lister.Told told =
                new Lister(A, link, Duration.ofSeconds(5), GatewaySettings.PerServer.DEFAULTS)
                        .ask(Listing.empty(A));
        assertThat(told.freshFor()).isEqualTo(Duration.ofMillis(expected));
    }

    @Test
    void aLegacyServerSaysNothingOfThat() throws Exception {
        assertThat(tools((_, _) -> result("{\"tools\":[],\"ttlMs\":5}")).freshFor()).isNull();
    }
}

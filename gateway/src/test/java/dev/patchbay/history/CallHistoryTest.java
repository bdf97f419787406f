package dev.patchbay.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.gateway.CallObserver.EndedCall;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.server.ServerId;
import dev.patchbay.testkit.Await;
import dev.patchbay.time.FakeTicker;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** What is recorded of calls, and that recording them costs nothing else. */
class CallHistoryTest {
    private static final ServerId FILES = new ServerId("files");
    private static final Instant NOW = Instant.parse("2026-11-18T09:00:00Z");
    private static final String SECRET = "s3cret-of-the-vault";

    @TempDir private Path folder;

    private final Gateway gateway =
            Gateway.open(
                    GatewaySettings.DEFAULTS,
                    _ -> {
                        throw new IOException("Nothing is started here");
                    },
                    InstantSource.system());

    @AfterEach
    void close() {
        gateway.close();
    }

    private CallHistory history(CallHistory.Arguments arguments, Ticker ticker) {
        return new CallHistory(
                new CallHistory.Settings(folder.resolve("history"), 10_000_000, arguments, "stdio"),
                new CurrentRedactor(gateway, () -> Set.of(SECRET)),
                InstantSource.fixed(NOW),
                ticker);
    }

    private static EndedCall call(String params, @Nullable CallResult result) {
        return new EndedCall(
                FILES,
                "tools/call",
                "read",
                "editor",
                "",
                Json.of(params),
                result,
                0,
                5_000_000,
                null);
    }

    private static CallResult ok() {
        return new CallResult.Answered(FILES, Json.of("{\"content\":[]}"));
    }

    private List<RecordedCall> recorded() {
        try {
            return StoredLineReader.ofCalls(folder.resolve("history"))
                    .newest(CallFilter.ALL.query(), 10_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void recordsWhoCalledWhatAndTheOutcome() {
        try (CallHistory history = history(CallHistory.Arguments.REDACTED, Ticker.system())) {
            history.callEnded(call("{\"name\":\"read\",\"arguments\":{\"path\":\"/a\"}}", ok()));
        }

        RecordedCall call = recorded().getFirst();
        assertThat(call.at()).isEqualTo(NOW.minusMillis(5));
        assertThat(call.client()).isEqualTo("editor");
        assertThat(call.via()).isEqualTo("stdio");
        assertThat(call.subject()).isEqualTo("files.read");
        assertThat(call.outcome()).isEqualTo("ok");
        assertThat(call.isError()).isFalse();
        assertThat(call.durationMicros()).isEqualTo(5_000);
        assertThat(call.arguments()).isEqualTo("{\"path\":\"/a\"}");
        assertThat(call.toJson().member("arguments").isObject()).isTrue();
    }

    @Test
    void recordsTheMessageOfAFailure() {
        try (CallHistory history = history(CallHistory.Arguments.REDACTED, Ticker.system())) {
            history.callEnded(call("{}", new CallResult.ServerError(FILES, error("no disk"))));
            history.callEnded(
                    call(
                            "{}",
                            new CallResult.Answered(
                                    FILES,
                                    Json.of(
                                            "{\"isError\":true,\"content\":[{\"type\":\"text\","
                                                    + "\"text\":\"no such file\"}]}"))));
            history.callEnded(call("{}", null));
        }

        assertThat(recorded())
                .extracting(it -> it.outcome() + ": " + it.error())
                .containsExactly(
                        "rpc_error: -32000 no disk", "tool_error: no such file", "cancelled: ");
    }

    private static RpcError error(String message) {
        return new RpcError(-32_000, message, null);
    }

    @Test
    void masksSecretsInArguments() {
        String token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0".repeat(2);
        String params =
                "{\"arguments\":{\"note\":\"the %s\",\"password\":\"hunter2\",\"t\":\"%s\"}}"
                        .formatted(SECRET, token);
        try (CallHistory history = history(CallHistory.Arguments.REDACTED, Ticker.system())) {
            history.callEnded(call(params, ok()));
        }

        assertThat(recorded().getFirst().arguments())
                .isEqualTo("{\"note\":\"the ***\",\"password\":\"***\",\"t\":\"***\"}");
    }

    @Test
    void recordsArgumentsAsTheSettingSays() {
        String params = "{\"arguments\":{\"password\":\"hunter2\"}}";
        try (CallHistory none = history(CallHistory.Arguments.NONE, Ticker.system())) {
            none.callEnded(call(params, ok()));
        }
        assertThat(recorded().getFirst().arguments()).isEmpty();
        try (CallHistory full = history(CallHistory.Arguments.FULL, Ticker.system())) {
            full.callEnded(call(params, ok()));
            full.callEnded(call("{\"arguments\":{\"x\":\"" + "y".repeat(5_000) + "\"}}", ok()));
        }
        assertThat(recorded().get(1).arguments()).contains("hunter2");
        assertThat(recorded().get(2).arguments()).hasSize(2_048);
        assertThat(recorded().get(2).json().member("argumentsCut").isTrue()).isTrue();
    }

    @Test
    void callsThatAreTooManyAreCounted() {
        var ticker = new FakeTicker();
        try (CallHistory history = history(CallHistory.Arguments.NONE, ticker)) {
            history.callEnded(call("{}", ok()));
            assertThat(Await.becomesTrue(() -> recorded().size() == 1)).isTrue();
            ticker.awaitWaiting(1); // the thread pauses, so that nothing is taken from the queue
            for (int i = 0; i < LineRecorder.RECORDS_MAX + 7; i++) {
                history.callEnded(call("{}", ok()));
            }
            ticker.advance(LineRecorder.PAUSE);
            assertThat(Await.becomesTrue(() -> recorded().size() > 1)).isTrue();
        }

        List<RecordedCall> all = recorded();
        assertThat(all.stream().mapToLong(RecordedCall::notRecorded).sum()).isEqualTo(7);
        assertThat(all).hasSize(1 + 1 + LineRecorder.RECORDS_MAX);
    }

    @Test
    void unwritableFolderCostsHistoryOnly() throws IOException {
        Path blocked = folder.resolve("history");
        Files.writeString(blocked, "a file where the folder should be");
        var ticker = new FakeTicker();
        try (CallHistory history = history(CallHistory.Arguments.NONE, ticker)) {
            history.callEnded(call("{}", ok()));
            ticker.awaitWaiting(1);
            Files.delete(blocked);
            history.callEnded(call("{}", ok()));
            ticker.advance(LineRecorder.PAUSE);
            assertThat(Await.becomesTrue(() -> recorded().size() == 2)).isTrue();
        }

        assertThat(recorded())
                .as("the call that was lost is counted")
                .extracting(RecordedCall::notRecorded)
                .containsExactlyInAnyOrder(1L, 0L);
    }

    @Test
    void nothingIsCreatedWithoutACall() {
        history(CallHistory.Arguments.REDACTED, Ticker.system()).close();

        assertThat(folder.resolve("history")).doesNotExist();
    }
}

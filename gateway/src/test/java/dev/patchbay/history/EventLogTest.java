package dev.patchbay.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.time.FakeTicker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** What is recorded of a gateway and its servers. */
class EventLogTest {
    private static final Instant NOW = Instant.parse("2026-11-18T09:00:00Z");
    private static final ServerId FILES = new ServerId("files");

    @TempDir private Path folder;

    private final Gateway gateway =
            Gateway.open(
                    GatewaySettings.DEFAULTS,
                    _ -> {
                        throw new IOException("Nothing is started here");
                    },
                    InstantSource.system());
    private final FakeTicker ticker = new FakeTicker();

    @AfterEach
    void close() {
        gateway.close();
    }

    private EventLog log() {
        return new EventLog(
                new EventLog.Settings(folder.resolve("logs"), 10_000_000, "stdio", "/a.json"),
                new CurrentRedactor(gateway, () -> Set.of("s3cret-value")),
                InstantSource.fixed(NOW),
                ticker);
    }

    private List<LogEvent> recorded() throws IOException {
        return StoredLineReader.ofEvents(folder.resolve("logs"))
                .newest(StoredLineReader.Query.all(), 100);
    }

    @Test
    void recordsStatesOutputAndMessagesInOrder() throws IOException {
        try (EventLog log = log()) {
            log.recordStart();
            log.recordStderr("files", "the token is s3cret-value");
            ServerState before = ServerState.initial(true);
            var failure =
                    new ServerFailure(
                            ErrorReason.CONNECTION_FAILED,
                            "It exited",
                            "connect",
                            1,
                            ExecutionStatus.NOT_SENT);
            log.stateChanged(FILES, before, new ServerState(Status.ERROR, failure, null, 1, null));
            log.logged(FILES, Json.of("{\"level\":\"warning\",\"data\":{\"n\":1}}"));
        }

        assertThat(recorded())
                .extracting(it -> it.level() + " " + it.event() + " " + it.message())
                .containsExactly(
                        "info gateway-started ",
                        "info stderr the token is ***",
                        "error error It exited",
                        "warning message {\"n\":1}",
                        "info gateway-ended ");
        assertThat(recorded().getFirst().config()).isEqualTo("/a.json");
        assertThat(recorded().get(2).reason()).isEqualTo("CONNECTION_FAILED");
        assertThat(recorded().get(2).server()).isEqualTo("files");
        assertThat(recorded()).allMatch(it -> it.pid() == ProcessHandle.current().pid());
    }

    @Test
    void startWritesNothingAtFirst() {
        try (EventLog log = log()) {
            log.recordStart();

            assertThat(folder.resolve("logs")).doesNotExist();
        }
        assertThat(folder.resolve("logs")).isDirectory();
    }
}

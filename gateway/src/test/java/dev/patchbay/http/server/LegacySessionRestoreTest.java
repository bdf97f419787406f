package dev.patchbay.http.server;

import static dev.patchbay.http.server.HttpServerFixture.awaitTrue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Legacy sessions that continue after the server was restarted. */
class LegacySessionRestoreTest {
    private static final String ALICE = "Authorization: Bearer token-of-alice";
    private static final String BOB = "Authorization: Bearer token-of-bob";
    private static final TokenAuthenticator ACCESS =
            TokenAuthenticator.ofTokens(Map.of("alice", "token-of-alice", "bob", "token-of-bob"));
    private static final String WHO = HttpServerFixture.call("7", "who", "{}");
    private static final String PING = ClientMessages.request("9", "ping", "");

    @TempDir private Path folder;

    private HttpServerFixture start() throws IOException {
        return HttpServerFixture.start(ACCESS, folder);
    }

    private List<Path> storedFiles() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(it -> it.toString().endsWith(".json")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void sessionContinuesAfterARestart() throws Exception {
        String session;
        String before;
        try (HttpServerFixture first = start()) {
            session = first.openSession("2025-06-18", ALICE);
            String level =
                    ClientMessages.request("8", "logging/setLevel", "{\"level\":\"warning\"}");
            assertThat(first.exchange(level, ALICE, session).status()).isEqualTo(200);
            before = first.exchange(WHO, ALICE, session).body();
            assertThat(before).contains("alice 2025-06-18 mcp-inspector {} warning");
        }
        try (HttpServerFixture second = start()) {
            assertThat(second.exchange(PING, ALICE, session).status()).isEqualTo(200);
            // The log level is set again in the background.
            awaitTrue("as before", () -> who(second, session).equals(before));
            assertThat(second.server.sessions()).isEqualTo(1);
            assertThat(second.service.listeners).as("notified of changes").hasSize(1);
        }
    }

    private static String who(HttpServerFixture fixture, String session) {
        try {
            return fixture.exchange(WHO, ALICE, session).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void sessionContinuesAfterACrash() throws Exception {
        try (HttpServerFixture first = start();
                HttpServerFixture second = start()) {
            String session = first.openSession("2025-11-25", ALICE);
            awaitTrue("stored", () -> storedFiles().size() == 1);
            assertThat(second.exchange(PING, ALICE, session).status()).isEqualTo(200);
        }
    }

    @Test
    void sessionServesOnlyItsOwnerAfterARestart() throws Exception {
        String session;
        try (HttpServerFixture first = start()) {
            session = first.openSession("2025-11-25", ALICE);
        }
        try (HttpServerFixture second = start()) {
            assertThat(second.exchange(PING, BOB, session).status()).isEqualTo(404);
            assertThat(second.exchange(PING, ALICE, session).status()).isEqualTo(200);
            assertThat(second.exchange(PING, BOB, session).status()).isEqualTo(404);
        }
    }

    @Test
    void endedSessionDoesNotContinue() throws Exception {
        String session;
        try (HttpServerFixture first = start()) {
            session = first.openSession("2025-11-25", ALICE);
            try (RawHttpConnection client = first.connect()) {
                client.send(first.requestHead("DELETE", ALICE, session)).readResponse();
            }
            awaitTrue("deleted", () -> storedFiles().isEmpty());
        }
        assertThat(storedFiles()).isEmpty();
        try (HttpServerFixture second = start()) {
            assertThat(second.exchange(PING, ALICE, session).status()).isEqualTo(404);
        }
    }

    /** Its file is deleted in the background. */
    @Test
    void endedSessionIsUnknownAtOnce() throws Exception {
        try (HttpServerFixture server = start();
                RawHttpConnection client = server.connect()) {
            for (int i = 0; i < 300; i++) {
                String session = server.openSession("2025-11-25", ALICE);
                client.send(server.requestHead("DELETE", ALICE, session)).readResponse();
                assertThat(server.exchange(PING, ALICE, session).status()).isEqualTo(404);
            }
        }
    }

    @Test
    void oldSessionIsDeleted() throws Exception {
        String session;
        try (HttpServerFixture first = start()) {
            session = first.openSession("2025-11-25", ALICE);
        }
        Instant old = Instant.now().minus(LegacySessionStore.AGE_MAX).minusSeconds(1);
        Files.setLastModifiedTime(storedFiles().getFirst(), FileTime.from(old));
        try (HttpServerFixture second = start()) {
            assertThat(storedFiles()).isEmpty();
            assertThat(second.exchange(PING, ALICE, session).status()).isEqualTo(404);
        }
    }

    @Test
    void fileThatIsNotASessionIsIgnored() throws Exception {
        String session;
        try (HttpServerFixture first = start()) {
            session = first.openSession("2025-11-25", ALICE);
        }
        for (String content :
                List.of("", "{", "{}", "{\"principal\":\"alice\",\"initialize\":{}}")) {
            Files.writeString(storedFiles().getFirst(), content);
            try (HttpServerFixture second = start()) {
                assertThat(second.exchange(PING, ALICE, session).status()).isEqualTo(404);
                assertThat(second.server.sessions()).isZero();
            }
        }
    }

    @Test
    void storedFileDoesNotContainTheSessionId() throws Exception {
        try (HttpServerFixture first = start()) {
            String session = first.openSession("2025-11-25", ALICE);
            awaitTrue("stored", () -> storedFiles().size() == 1);
            String id = session.substring("Mcp-Session-Id: ".length());
            Path file = storedFiles().getFirst();
            assertThat(file.toString() + Files.readString(file)).doesNotContain(id);
        }
    }
}

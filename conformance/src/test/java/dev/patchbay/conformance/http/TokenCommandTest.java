package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.PackagedProgram;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Named tokens give access to what their scopes say, and to nothing after they are revoked. */
class TokenCommandTest {
    @TempDir private Path folder;

    private ServeProcess gateway;

    @BeforeEach
    void start() throws IOException {
        ServerScript script = ServerScript.named("s", folder).tools("echo");
        gateway = ServeProcess.start(folder, script, "\"http\": {\"auth\": \"token\"}");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private String run(int status, String... arguments) throws Exception {
        PackagedProgram program = PackagedProgram.find().orElseThrow();
        var builder = new ProcessBuilder(program.launcherCommand(arguments));
        Path output = Files.createTempFile(folder, "out", ".txt");
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.directory(folder.toFile()).start();
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isEqualTo(status);
        return text;
    }

    private String addToken(String name, String... options) throws Exception {
        var words = new ArrayList<>(List.of("token", "add", name));
        words.addAll(List.of(options));
        words.add("--json");
        String printed = run(0, words.toArray(String[]::new));
        return StrictJson.parse(printed).at("token").asText();
    }

    private byte[] request(String method, String path, String token) {
        return (method
                        + " "
                        + path
                        + " HTTP/1.1\r\nHost: 127.0.0.1:"
                        + gateway.address().getPort()
                        + "\r\nAuthorization: Bearer "
                        + token
                        + "\r\nContent-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private int status(String method, String path, String token) throws IOException {
        try (RawHttpConnection client =
                RawHttpConnection.connect(gateway.address(), ServeProcess.TIMEOUT)) {
            return client.send(request(method, path, token)).readResponse().status();
        }
    }

    @Test
    void dashboardTokenShowsServersAndDoesNotChangeThem() throws Exception {
        String viewer = addToken("viewer", "--scope", "dashboard");
        String admin = addToken("boss", "--scope", "dashboard,admin");
        assertThat(status("GET", "/api/overview", viewer)).isEqualTo(200);
        assertThat(status("GET", "/metrics", viewer)).isEqualTo(403);
        assertThat(status("POST", "/api/servers/s/disable", viewer)).isEqualTo(403);
        assertThat(status("POST", "/api/servers/s/disable", admin)).isEqualTo(200);
        String listed = run(0, "token", "list");
        assertThat(listed).contains("viewer", "boss").doesNotContain(viewer, admin);
    }

    @Test
    void revokedTokenLosesItsOpenStreamAndOthersKeepTheirs() throws Exception {
        String gone = addToken("gone", "--scope", "dashboard");
        String kept = addToken("kept", "--scope", "dashboard");
        try (RawHttpConnection first = openEvents(gone);
                RawHttpConnection second = openEvents(kept)) {
            run(0, "token", "revoke", "gone");
            awaitEnd(first);
            assertThat(second.readEvent()).as("the other stream goes on").isPresent();
        }
        assertThat(status("GET", "/api/overview", gone)).isEqualTo(401);
        assertThat(status("GET", "/api/overview", kept)).isEqualTo(200);
        assertThat(run(1, "token", "revoke", "gone")).contains("no token named gone");
    }

    /** Reads until the stream is cut off. */
    private static void awaitEnd(RawHttpConnection stream) throws IOException {
        try {
            while (stream.readEvent().isPresent()) {
                // goes on to the next one
            }
        } catch (EOFException | SocketException _) {
            // The connection was closed in the middle of the stream.
        }
    }

    private RawHttpConnection openEvents(String token) throws IOException {
        RawHttpConnection client =
                RawHttpConnection.connect(gateway.address(), Duration.ofSeconds(30));
        client.send(request("GET", "/api/events", token));
        assertThat(client.readResponseHead().status()).isEqualTo(200);
        return client;
    }
}

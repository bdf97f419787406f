package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A legacy client that keeps its session while {@code patchbay serve} is restarted. */
class ServeRestartTest {
    @TempDir private Path folder;

    private ServeProcess start(String run) throws IOException {
        Path own = Files.createDirectories(folder.resolve(run));
        String settings =
                "\"http\": {\"auth\": \"none\"}, \"stateDir\": "
                        + StrictJson.quote(folder.resolve("state").toString());
        return ServeProcess.start(own, ServerScript.named("s", own).tools("echo"), settings)
                .awaitTool("s.echo");
    }

    @Test
    void sessionContinuesAfterARestart() throws Exception {
        String session;
        String call = ServeProcess.call("1", "s.echo", "{\"x\":1}");
        try (ServeProcess first = start("first")) {
            session = first.openSession();
            assertThat(first.send(first.postRequest(call, session)).status()).isEqualTo(200);
        }
        try (ServeProcess second = start("second")) {
            RawHttpConnection.Response reply = second.send(second.postRequest(call, session));
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
            assertThat(reply.body()).contains("\\\"x\\\":1");
        }
    }
}

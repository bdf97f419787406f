package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running {@code patchbay serve} on a free port, and a modern client. Closing it terminates the
 * process and asserts that it ends normally and leaves no process.
 */
final class HttpGatewayProcess implements AutoCloseable {
    private static final Pattern SERVING_URL = Pattern.compile("Serving MCP at (\\S+)\n");
    private static final Pattern TOKEN = Pattern.compile("The token is in (\\S+)\n");
    private static final Duration END_TIMEOUT = Duration.ofSeconds(20);

    private final TestHost host;
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger ids = new AtomicInteger();

    private HttpGatewayProcess(TestHost host) {
        this.host = host;
    }

    /** Starts the program with the configuration of the installation, and waits until it serves. */
    static HttpGatewayProcess start(TestInstallation installation) {
        return start(installation, "127.0.0.1:0");
    }

    /** The same at a given address. */
    static HttpGatewayProcess start(TestInstallation installation, String listen) {
        String file = installation.configFile().toString();
        List<String> command =
                TestInstallation.program()
                        .launcherCommand("serve", "--config", file, "--listen", listen);
        var gateway = new HttpGatewayProcess(installation.start(command));
        boolean ready =
                TestHost.await(TestHost.TIMEOUT, () -> gateway.matchStderr(SERVING_URL).find());
        assertThat(ready).as(gateway.host.client().stderr()).isTrue();
        return gateway;
    }

    String url() {
        return firstMatch(SERVING_URL);
    }

    /** The Authorization header that clients must send. */
    String authorization() {
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> matchStderr(TOKEN).find())).isTrue();
        try {
            return "Bearer " + Files.readString(Path.of(firstMatch(TOKEN))).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a modern request with the token and returns the response. */
    JsonTree request(String method, String name, String params)
            throws IOException, InterruptedException {
        String id = Integer.toString(ids.incrementAndGet());
        String body = ClientMessages.request(id, method, ClientMessages.modernParams(params));
        var request =
                HttpRequest.newBuilder(URI.create(url()))
                        .timeout(TestHost.TIMEOUT)
                        .header("Authorization", authorization())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", ClientMessages.MODERN)
                        .header("Mcp-Method", method);
        if (!name.isEmpty()) {
            request.header("Mcp-Name", name);
        }
        HttpResponse<String> response =
                http.send(
                        request.POST(BodyPublishers.ofString(body)).build(),
                        BodyHandlers.ofString());
        JsonTree message = StrictJson.parse(lastMessage(response));
        SchemaCheck schema = SchemaCheck.ofClient(ClientMessages.MODERN);
        schema.recordToGateway(body);
        schema.checkFromGateway(message.write());
        assertThat(schema.violations()).as(method).isEmpty();
        assertThat(message.at("id")).isEqualTo(StrictJson.parse(id));
        return message;
    }

    /** The last message of a response: its body or its last event. */
    private static String lastMessage(HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (!type.startsWith("text/event-stream")) {
            return response.body();
        }
        return response.body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .reduce((_, next) -> next)
                .orElseThrow(() -> new AssertionError("A stream without an event"))
                .substring("data: ".length());
    }

    private String firstMatch(Pattern pattern) {
        Matcher found = matchStderr(pattern);
        assertThat(found.find()).as("%s", pattern).isTrue();
        return found.group(1);
    }

    private Matcher matchStderr(Pattern pattern) {
        return pattern.matcher(host.client().stderr());
    }

    @Override
    public void close() {
        List<Long> below = host.descendants();
        try {
            host.client().signal("TERM");
            assertThat(host.client().exitCode(END_TIMEOUT)).as(host.client().stderr()).isZero();
            assertThat(host.client().receivedBytes()).as("on standard output").isZero();
            host.assertGone(below);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            host.client().close();
        }
    }
}

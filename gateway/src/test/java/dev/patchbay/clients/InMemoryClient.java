package dev.patchbay.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.stdio.LineChannel;
import dev.patchbay.stdio.LineWriter;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client's side of a connection in memory: lines in, lines out. */
final class InMemoryClient implements AutoCloseable {
    static final String MODERN =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
    private static final String END = "end";

    final Connection connection;
    private final OutputStream input;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(100_000);

    InMemoryClient(McpService service) throws IOException {
        this(service, 1_024);
    }

    InMemoryClient(McpService service, int requestsMax) throws IOException {
        Pipe toServer = Pipe.open();
        Pipe toClient = Pipe.open();
        input = Channels.newOutputStream(toServer.sink());
        InputStream clientIn = Channels.newInputStream(toClient.source());
        var writer =
                LineWriter.withSenderWrites(Channels.newOutputStream(toClient.sink()), 1 << 20);
        var channel =
                new LineChannel(
                        Channels.newInputStream(toServer.source()), writer, 100_000, 50_000);
        connection = ClientHandler.connect(service, channel, requestsMax);
        Thread.ofPlatform().daemon().start(() -> collect(clientIn));
        Thread.ofPlatform().daemon().start(() -> serve(channel));
    }

    private void serve(LineChannel channel) {
        try {
            connection.run();
            connection.drain(Duration.ofSeconds(2));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            channel.close();
        }
    }

    private void collect(InputStream from) {
        var reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8));
        reader.lines().forEach(lines::add);
        lines.add(END);
    }

    InMemoryClient initialize(String version) {
        send(
                "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{"
                        + "\"protocolVersion\":\""
                        + version
                        + "\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"mcp-inspector\",\"version\":\"1\"}}}");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        assertThat(next()).contains("\"id\":\"i\"", "\"result\"");
        return this;
    }

    void send(String line) {
        try {
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void callTool(String id, String tool) {
        send(
                ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\","
                                + "\"params\":{\"name\":\"%s\"}}")
                        .formatted(id, tool));
    }

    /** The next line that comes out. */
    String next() {
        try {
            String line = lines.poll(30, TimeUnit.SECONDS);
            assertThat(line).as("a line within 30 s").isNotNull();
            return line;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    JsonTree nextTree() {
        return StrictJson.parse(next());
    }

    /** What answers a line, which must be the only thing to come. */
    String sendAndReceive(String line) {
        send(line);
        String answer = next();
        send("{\"jsonrpc\":\"2.0\",\"id\":\"fence\",\"method\":\"ping\"}");
        assertThat(next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"fence\",\"result\":{}}");
        return answer;
    }

    /** Sends a line that must not be answered. */
    void sendExpectingNoResponse(String line) {
        send(line);
        send("{\"jsonrpc\":\"2.0\",\"id\":\"fence\",\"method\":\"ping\"}");
        assertThat(next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"fence\",\"result\":{}}");
    }

    /** Ends the input; everything that still comes must have come by then. */
    void closeAndExpectEnd() throws IOException {
        input.close();
        assertThat(next()).isEqualTo(END);
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}

package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The HTTP endpoint of a running gateway: a connection for each message. */
final class HttpTestTransport implements TestTransport {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InetSocketAddress address;
    private final boolean modern;
    private final Map<String, RawHttpConnection> open = new ConcurrentHashMap<>();
    private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
    private final Set<RawHttpConnection> eventStreams = ConcurrentHashMap.newKeySet();
    private volatile Consumer<JsonTree> receiver = _ -> {};
    private final List<String> moreHeaders = new CopyOnWriteArrayList<>();
    private volatile String sessionId = "";
    private volatile String protocolVersion = "";

    HttpTestTransport(InetSocketAddress address, boolean modern) {
        this.address = address;
        this.modern = modern;
    }

    @Override
    public void open(Consumer<JsonTree> taker) {
        receiver = taker;
    }

    /** Sends one more header with every later message, in place of the one before. */
    void setHeader(String line) {
        moreHeaders.clear();
        moreHeaders.add(line);
    }

    /** The session id that the gateway assigned; empty before the handshake. */
    String sessionId() {
        return sessionId;
    }

    @Override
    public void send(String json) {
        JsonTree message = StrictJson.parse(json);
        String id = message.has("method") && message.has("id") ? message.at("id").write() : "";
        message.findAt("params", "protocolVersion")
                .ifPresent(asked -> protocolVersion = asked.asText());
        try {
            RawHttpConnection connection = RawHttpConnection.connect(address, PATIENCE);
            connection.send(RawHttpConnection.postRequest("/mcp", headers(message), json));
            if (id.isEmpty()) {
                connection.readResponse();
                connection.close();
                openEventStreamAfter(message);
                return;
            }
            open.put(id, connection);
            Thread.ofVirtual().start(() -> readResponse(id, connection));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> headers(JsonTree message) {
        var lines = new ArrayList<String>();
        lines.add("Host: 127.0.0.1:" + address.getPort());
        lines.add("Content-Type: application/json");
        lines.add("Accept: application/json, text/event-stream");
        lines.addAll(moreHeaders);
        if (!sessionId.isEmpty()) {
            lines.add("Mcp-Session-Id: " + sessionId);
            lines.add("MCP-Protocol-Version: " + protocolVersion);
        }
        if (modern) {
            lines.add("MCP-Protocol-Version: " + ClientMessages.MODERN);
            lines.add("Mcp-Method: " + message.at("method").asText());
            mcpName(message)
                    .ifPresent(name -> lines.add("Mcp-Name: " + encodeHeaderValue(name.asText())));
        }
        return lines;
    }

    private static Optional<JsonTree> mcpName(JsonTree message) {
        return switch (message.at("method").asText()) {
            case "tools/call", "prompts/get" -> message.findAt("params", "name");
            case "resources/read" -> message.findAt("params", "uri");
            case "tasks/get", "tasks/update", "tasks/cancel" -> message.findAt("params", "taskId");
            default -> Optional.empty();
        };
    }

    private static String encodeHeaderValue(String value) {
        boolean plain = value.chars().allMatch(c -> c > 0x20 && c < 0x7f);
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return plain ? value : "=?base64?" + Base64.getEncoder().encodeToString(bytes) + "?=";
    }

    private void readResponse(String id, RawHttpConnection connection) {
        try (connection) {
            RawHttpConnection.ResponseHead head = connection.readResponseHead();
            statuses.put(id, head.status());
            head.header("Mcp-Session-Id").ifPresent(given -> sessionId = given);
            if (head.header("Content-Type").orElse("").startsWith("text/event-stream")) {
                readEvents(connection);
            } else {
                String body = connection.readRemainingBody();
                if (!body.isEmpty()) {
                    receiver.accept(StrictJson.parse(body));
                }
            }
        } catch (IOException e) {
            return; // cancelled, or the gateway has ended: the test misses the response
        } finally {
            open.remove(id);
        }
    }

    private void readEvents(RawHttpConnection connection) throws IOException {
        while (true) {
            Optional<RawHttpConnection.SseEvent> event = connection.readEvent();
            if (event.isEmpty()) {
                return;
            }
            if (!event.get().data().isEmpty()) {
                receiver.accept(event.get().json());
            }
        }
    }

    /** A legacy client opens its event stream after the handshake. */
    private void openEventStreamAfter(JsonTree message) throws IOException {
        boolean over =
                message.findAt("method")
                        .equals(Optional.of(new JsonTree.Str("notifications/initialized")));
        if (!over || modern) {
            return;
        }
        RawHttpConnection connection = RawHttpConnection.connect(address, PATIENCE);
        connection.send(
                "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:"
                        + address.getPort()
                        + "\r\nAccept: text/event-stream\r\nMcp-Session-Id: "
                        + sessionId
                        + "\r\n\r\n");
        eventStreams.add(connection);
        connection.readResponseHead();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try (connection) {
                                readEvents(connection);
                            } catch (IOException e) {
                                return; // closed
                            }
                        });
    }

    @Override
    public void cancel(String rawId) {
        if (!modern) {
            send(ClientMessages.cancelled(rawId));
            return;
        }
        RawHttpConnection connection = open.remove(rawId);
        if (connection != null) {
            close(connection);
        }
    }

    @Override
    public int httpStatus(String rawId) {
        return statuses.getOrDefault(rawId, 0);
    }

    @Override
    public void close() {
        open.values().forEach(HttpTestTransport::close);
        eventStreams.forEach(HttpTestTransport::close);
        if (!sessionId.isEmpty()) {
            try (RawHttpConnection connection = RawHttpConnection.connect(address, PATIENCE)) {
                connection.send(
                        "DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1:"
                                + address.getPort()
                                + "\r\nMcp-Session-Id: "
                                + sessionId
                                + "\r\n\r\n");
                connection.readResponse();
            } catch (IOException e) {
                return; // the gateway is gone
            }
        }
    }

    private static void close(RawHttpConnection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

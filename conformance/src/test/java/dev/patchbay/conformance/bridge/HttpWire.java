package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttp;
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
import java.util.function.Consumer;

/** The HTTP endpoint of a running gateway: a connection for each message. */
final class HttpWire implements Wire {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InetSocketAddress address;
    private final boolean modern;
    private final Map<String, RawHttp> open = new ConcurrentHashMap<>();
    private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
    private final Set<RawHttp> standing = ConcurrentHashMap.newKeySet();
    private volatile Consumer<JsonTree> receiver = _ -> {};
    private volatile String session = "";
    private volatile String version = "";

    HttpWire(InetSocketAddress address, boolean modern) {
        this.address = address;
        this.modern = modern;
    }

    @Override
    public void open(Consumer<JsonTree> taker) {
        receiver = taker;
    }

    /** The session that the gateway gave this client; empty before the handshake. */
    String session() {
        return session;
    }

    @Override
    public void send(String json) {
        JsonTree message = StrictJson.parse(json);
        String id = message.has("method") && message.has("id") ? message.at("id").write() : "";
        message.find("params", "protocolVersion").ifPresent(asked -> version = asked.text());
        try {
            RawHttp connection = RawHttp.connect(address, PATIENCE);
            connection.send(RawHttp.post("/mcp", headers(message), json));
            if (id.isEmpty()) {
                connection.reply();
                connection.close();
                listenAfter(message);
                return;
            }
            open.put(id, connection);
            Thread.ofVirtual().start(() -> read(id, connection));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> headers(JsonTree message) {
        var lines = new ArrayList<String>();
        lines.add("Host: 127.0.0.1:" + address.getPort());
        lines.add("Content-Type: application/json");
        lines.add("Accept: application/json, text/event-stream");
        if (!session.isEmpty()) {
            lines.add("Mcp-Session-Id: " + session);
            lines.add("MCP-Protocol-Version: " + version);
        }
        if (modern) {
            lines.add("MCP-Protocol-Version: " + Messages.MODERN);
            lines.add("Mcp-Method: " + message.at("method").text());
            named(message).ifPresent(name -> lines.add("Mcp-Name: " + coded(name.text())));
        }
        return lines;
    }

    private static Optional<JsonTree> named(JsonTree message) {
        return switch (message.at("method").text()) {
            case "tools/call", "prompts/get" -> message.find("params", "name");
            case "resources/read" -> message.find("params", "uri");
            case "tasks/get", "tasks/update", "tasks/cancel" -> message.find("params", "taskId");
            default -> Optional.empty();
        };
    }

    private static String coded(String value) {
        boolean plain = value.chars().allMatch(c -> c > 0x20 && c < 0x7f);
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return plain ? value : "=?base64?" + Base64.getEncoder().encodeToString(bytes) + "?=";
    }

    private void read(String id, RawHttp connection) {
        try (connection) {
            RawHttp.Head head = connection.head();
            statuses.put(id, head.status());
            head.header("Mcp-Session-Id").ifPresent(given -> session = given);
            if (head.header("Content-Type").orElse("").startsWith("text/event-stream")) {
                events(connection);
            } else {
                String body = connection.rest();
                if (!body.isEmpty()) {
                    receiver.accept(StrictJson.parse(body));
                }
            }
        } catch (IOException e) {
            return; // given up, or the gateway is gone: whoever waits finds no answer
        } finally {
            open.remove(id);
        }
    }

    private void events(RawHttp connection) throws IOException {
        while (true) {
            Optional<RawHttp.Event> event = connection.event();
            if (event.isEmpty()) {
                return;
            }
            if (!event.get().data().isEmpty()) {
                receiver.accept(event.get().json());
            }
        }
    }

    /** A legacy client opens its standing stream when the handshake is over. */
    private void listenAfter(JsonTree message) throws IOException {
        boolean over =
                message.find("method")
                        .equals(Optional.of(new JsonTree.Str("notifications/initialized")));
        if (!over || modern) {
            return;
        }
        RawHttp connection = RawHttp.connect(address, PATIENCE);
        connection.send(
                "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:"
                        + address.getPort()
                        + "\r\nAccept: text/event-stream\r\nMcp-Session-Id: "
                        + session
                        + "\r\n\r\n");
        standing.add(connection);
        connection.head();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try (connection) {
                                events(connection);
                            } catch (IOException e) {
                                return; // closed
                            }
                        });
    }

    @Override
    public void giveUp(String rawId) {
        if (!modern) {
            send(Messages.cancelled(rawId));
            return;
        }
        RawHttp connection = open.remove(rawId);
        if (connection != null) {
            close(connection);
        }
    }

    @Override
    public int status(String rawId) {
        return statuses.getOrDefault(rawId, 0);
    }

    @Override
    public void close() {
        open.values().forEach(HttpWire::close);
        standing.forEach(HttpWire::close);
        if (!session.isEmpty()) {
            try (RawHttp connection = RawHttp.connect(address, PATIENCE)) {
                connection.send(
                        "DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1:"
                                + address.getPort()
                                + "\r\nMcp-Session-Id: "
                                + session
                                + "\r\n\r\n");
                connection.reply();
            } catch (IOException e) {
                return; // the gateway is gone
            }
        }
    }

    private static void close(RawHttp connection) {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

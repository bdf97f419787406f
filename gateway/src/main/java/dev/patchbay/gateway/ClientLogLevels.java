package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.ServerSession;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The log level of each legacy client. Servers get the lowest of them; messages are filtered for
 * each client on arrival.
 */
final class ClientLogLevels implements EntryListener {
    private static final Duration SEND_TIME_MAX = Duration.ofSeconds(5);

    private final ServerRegistry registry;
    private final Map<Object, String> levelByClient = new HashMap<>();

    ClientLogLevels(ServerRegistry registry) {
        this.registry = registry;
    }

    /**
     * Sets the level of a client and waits until the servers have it; null when the client is gone,
     * without waiting.
     */
    void set(Object client, @Nullable String level) throws InterruptedException {
        String before;
        String now;
        synchronized (this) {
            before = lowestLevel();
            if (level == null) {
                levelByClient.remove(client);
            } else {
                levelByClient.put(client, level);
            }
            now = lowestLevel();
        }
        if (now == null || now.equals(before)) {
            return;
        }
        CountDownLatch told = sendToAll();
        if (level != null) {
            boolean _ = told.await(SEND_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void connected(ConnectionId connection) {
        ServerEntry known = registry.find(connection.server()).orElse(null);
        if (known != null && lowestLevel() != null) {
            Thread _ = startSending(known, new CountDownLatch(1));
        }
    }

    private synchronized @Nullable String lowestLevel() {
        String least = null;
        for (String level : levelByClient.values()) {
            if (least == null || LogLevel.includes(level, least)) {
                least = level;
            }
        }
        return least;
    }

    private CountDownLatch sendToAll() {
        List<ServerEntry> servers = List.copyOf(registry.all());
        var told = new CountDownLatch(servers.size());
        servers.forEach(server -> startSending(server, told));
        return told;
    }

    private Thread startSending(ServerEntry server, CountDownLatch told) {
        return Thread.ofVirtual()
                .name("level-" + server.id())
                .start(
                        () -> {
                            try {
                                send(server);
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            } finally {
                                told.countDown();
                            }
                        });
    }

    private void send(ServerEntry server) throws InterruptedException {
        for (ServerSession link : server.connections().openSessions()) {
            send(link);
        }
    }

    /**
     * Another thread may have sent an older level in between, so the lowest is sent until it is the
     * last.
     */
    private void send(ServerSession link) throws InterruptedException {
        String told = null;
        for (String level = lowestLevel();
                level != null && !level.equals(told);
                level = lowestLevel()) {
            Json params =
                    new JsonWriter().beginObject().member("level", level).endObject().toJson();
            var _ = link.call("logging/setLevel", params, CallOptions.internal(SEND_TIME_MAX));
            told = level;
        }
    }
}

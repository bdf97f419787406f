package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The log level of each legacy client. A server gets the lowest level of the clients that see it;
 * messages are filtered for each client on arrival.
 */
final class ClientLogLevels implements EntryListener {
    private static final Duration SEND_TIME_MAX = Duration.ofSeconds(5);

    /** The level of a client, and the servers that the client sees. */
    private record ClientLevel(String level, VisibleServers servers) {}

    private final ServerRegistry registry;
    private final Map<Object, ClientLevel> levelByClient = new HashMap<>();

    ClientLogLevels(ServerRegistry registry) {
        this.registry = registry;
    }

    /**
     * Sets the level of a client and waits until the servers that it sees have it; null when the
     * client is gone, without waiting.
     */
    void set(Object client, @Nullable String level, VisibleServers visible)
            throws InterruptedException {
        var changed = new ArrayList<ServerEntry>();
        synchronized (this) {
            List<ServerEntry> servers = List.copyOf(visible.all());
            List<@Nullable String> before = lowestLevels(servers);
            if (level == null) {
                levelByClient.remove(client);
            } else {
                levelByClient.put(client, new ClientLevel(level, visible));
            }
            List<@Nullable String> now = lowestLevels(servers);
            for (int i = 0; i < servers.size(); i++) {
                if (now.get(i) != null && !Objects.equals(now.get(i), before.get(i))) {
                    changed.add(servers.get(i));
                }
            }
        }
        var told = new CountDownLatch(changed.size());
        changed.forEach(server -> startSending(server, told));
        if (level != null) {
            boolean _ = told.await(SEND_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private List<@Nullable String> lowestLevels(List<ServerEntry> servers) {
        var levels = new ArrayList<@Nullable String>();
        servers.forEach(server -> levels.add(lowestLevel(server.id())));
        return levels;
    }

    @Override
    public void connected(ConnectionId connection) {
        ServerEntry known = registry.find(connection.server()).orElse(null);
        if (known != null && lowestLevel(connection.server()) != null) {
            Thread _ = startSending(known, new CountDownLatch(1));
        }
    }

    private synchronized @Nullable String lowestLevel(ServerId server) {
        String least = null;
        for (ClientLevel client : levelByClient.values()) {
            if (client.servers.contains(server)
                    && (least == null || LogLevel.includes(client.level, least))) {
                least = client.level;
            }
        }
        return least;
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
            send(server.id(), link);
        }
    }

    /**
     * Another thread may have sent an older level in between, so the lowest is sent until it is the
     * last.
     */
    private void send(ServerId server, ServerSession link) throws InterruptedException {
        String told = null;
        for (String level = lowestLevel(server);
                level != null && !level.equals(told);
                level = lowestLevel(server)) {
            Json params =
                    new JsonWriter().beginObject().member("level", level).endObject().toJson();
            var _ = link.call("logging/setLevel", params, CallOptions.internal(SEND_TIME_MAX));
            told = level;
        }
    }
}

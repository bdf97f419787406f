package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.Link;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The level from which on each legacy client wants log messages. Servers are told the least of
 * them; what a client gets is sorted out when it comes.
 */
final class LogLevels {
    private static final Duration TELL_TIME_MAX = Duration.ofSeconds(5);

    private final Registry registry;
    private final Map<Object, String> wanted = new HashMap<>();

    LogLevels(Registry registry) {
        this.registry = registry;
    }

    /**
     * A client wants messages from a level on, and servers that are there know it on return; null
     * when it is gone, and then nothing waits.
     */
    void set(Object client, @Nullable String level) throws InterruptedException {
        String before;
        String now;
        synchronized (this) {
            before = least();
            if (level == null) {
                wanted.remove(client);
            } else {
                wanted.put(client, level);
            }
            now = least();
        }
        if (now == null || now.equals(before)) {
            return;
        }
        CountDownLatch told = tellAll();
        if (level != null) {
            boolean _ = told.await(TELL_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** A server has a new connection, over which it knows of no level. */
    void connected(ServerId server) {
        Registered known = registry.find(server).orElse(null);
        if (known != null && least() != null) {
            Thread _ = telling(known, new CountDownLatch(1));
        }
    }

    private synchronized @Nullable String least() {
        String least = null;
        for (String level : wanted.values()) {
            if (least == null || LogLevel.admits(level, least)) {
                least = level;
            }
        }
        return least;
    }

    private CountDownLatch tellAll() {
        List<Registered> servers = List.copyOf(registry.all());
        var told = new CountDownLatch(servers.size());
        servers.forEach(server -> telling(server, told));
        return told;
    }

    private Thread telling(Registered server, CountDownLatch told) {
        return Thread.ofVirtual()
                .name("level-" + server.id())
                .start(
                        () -> {
                            try {
                                tell(server);
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            } finally {
                                told.countDown();
                            }
                        });
    }

    /** Others may have told an older level meanwhile, so it is over when the last is the least. */
    private void tell(Registered server) throws InterruptedException {
        Link link = server.supervisor().liveLink();
        String told = null;
        for (String level = least();
                link != null && level != null && !level.equals(told);
                level = least()) {
            Json params =
                    new JsonWriter().beginObject().member("level", level).endObject().toJson();
            var _ = link.call("logging/setLevel", params, CallOptions.own(TELL_TIME_MAX));
            told = level;
        }
    }
}

package dev.patchbay.http.client.wire;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Idle connections; the most recently used one is taken first. */
final class ConnectionPool {
    private static final int IDLE_MAX = 128;
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(5);

    private final Map<HttpOrigin, Deque<HttpConnection>> idle = new HashMap<>();
    private boolean isSweepScheduled;

    /** A reusable connection; null if there is none. */
    @Nullable HttpConnection acquire(HttpOrigin origin) {
        while (true) {
            HttpConnection socket = poll(origin);
            if (socket == null || socket.isReusable()) {
                return socket;
            }
            socket.close();
        }
    }

    private synchronized @Nullable HttpConnection poll(HttpOrigin origin) {
        Deque<HttpConnection> those = idle.get(origin);
        return those == null ? null : those.pollLast();
    }

    /** Keeps a connection for reuse, at most for the given time. */
    void release(HttpOrigin origin, HttpConnection socket, Duration atMost) {
        socket.markIdle(atMost);
        HttpConnection surplus = add(origin, socket);
        if (surplus != null) {
            surplus.close();
        }
    }

    private synchronized @Nullable HttpConnection add(HttpOrigin origin, HttpConnection socket) {
        Deque<HttpConnection> those = idle.computeIfAbsent(origin, _ -> new ArrayDeque<>());
        those.addLast(socket);
        scheduleSweep();
        return those.size() > IDLE_MAX ? those.pollFirst() : null;
    }

    private void scheduleSweep() {
        if (!isSweepScheduled) {
            isSweepScheduled = true;
            var _ = ScheduledTimeout.after(SWEEP_INTERVAL, this::sweep);
        }
    }

    /** Closes connections that were idle for too long. */
    private void sweep() {
        List<HttpConnection> old = removeExpired();
        if (!old.isEmpty()) {
            // Closing may block, and the timer thread must not.
            Thread.startVirtualThread(() -> old.forEach(HttpConnection::close));
        }
    }

    private synchronized List<HttpConnection> removeExpired() {
        var old = new ArrayList<HttpConnection>();
        for (Deque<HttpConnection> those : idle.values()) {
            while (!those.isEmpty() && those.getFirst().isExpired()) {
                old.add(those.removeFirst());
            }
        }
        idle.values().removeIf(Deque::isEmpty);
        isSweepScheduled = false;
        if (!idle.isEmpty()) {
            scheduleSweep();
        }
        return old;
    }
}

package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Connections that wait for their next exchange; the last one used goes first. */
final class IdleSockets {
    private static final int IDLE_MAX = 128;
    private static final Duration ROUND = Duration.ofSeconds(5);

    private final Map<Origin, Deque<WireSocket>> idle = new HashMap<>();
    private boolean watching;

    /** A connection that can be used at once; null if there is none. */
    @Nullable WireSocket take(Origin origin) {
        while (true) {
            WireSocket socket = poll(origin);
            if (socket == null || socket.isUsable()) {
                return socket;
            }
            socket.close();
        }
    }

    private synchronized @Nullable WireSocket poll(Origin origin) {
        Deque<WireSocket> those = idle.get(origin);
        return those == null ? null : those.pollLast();
    }

    /** Keeps a connection for later, for so long at most. */
    void give(Origin origin, WireSocket socket, Duration atMost) {
        socket.rest(atMost);
        WireSocket surplus = add(origin, socket);
        if (surplus != null) {
            surplus.close();
        }
    }

    private synchronized @Nullable WireSocket add(Origin origin, WireSocket socket) {
        Deque<WireSocket> those = idle.computeIfAbsent(origin, _ -> new ArrayDeque<>());
        those.addLast(socket);
        watch();
        return those.size() > IDLE_MAX ? those.pollFirst() : null;
    }

    private void watch() {
        if (!watching) {
            watching = true;
            var _ = Deadlines.after(ROUND, this::look);
        }
    }

    /** Closes those that waited too long. */
    private void look() {
        List<WireSocket> old = tooOld();
        if (!old.isEmpty()) {
            // Closing may wait, and the thread of the deadlines must not.
            Thread.startVirtualThread(() -> old.forEach(WireSocket::close));
        }
    }

    private synchronized List<WireSocket> tooOld() {
        var old = new ArrayList<WireSocket>();
        for (Deque<WireSocket> those : idle.values()) {
            while (!those.isEmpty() && those.getFirst().isRestedTooLong()) {
                old.add(those.removeFirst());
            }
        }
        idle.values().removeIf(Deque::isEmpty);
        watching = false;
        if (!idle.isEmpty()) {
            watch();
        }
        return old;
    }
}

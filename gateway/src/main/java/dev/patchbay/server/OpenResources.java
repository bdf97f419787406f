package dev.patchbay.server;

import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions and connecting threads of one server that may not have ended yet. */
final class OpenResources {
    private final Ticker ticker;
    private final Set<JsonRpcServerSession> sessions = ConcurrentHashMap.newKeySet();
    private final Set<ConnectAttempts> attempts = ConcurrentHashMap.newKeySet();
    private volatile @Nullable JsonRpcServerSession latest;
    private volatile @Nullable JsonRpcServerSession lastConnected;

    OpenResources(Ticker ticker) {
        this.ticker = ticker;
    }

    void add(ConnectAttempts started) {
        attempts.removeIf(ConnectAttempts::hasEnded);
        attempts.add(started);
    }

    void add(JsonRpcServerSession opened) {
        sessions.removeIf(JsonRpcServerSession::hasEnded);
        sessions.add(opened);
        latest = opened;
    }

    void connected(JsonRpcServerSession session) {
        lastConnected = session;
    }

    /** What the server has written since it was last opened that is not a message. */
    StrayOutput strayOutput() {
        JsonRpcServerSession session = latest;
        return session == null ? StrayOutput.NONE : session.transport().strayOutput();
    }

    /** Waits for the end of the session that was connected last. */
    void awaitLastConnectedEnd(Duration timeout) throws InterruptedException {
        JsonRpcServerSession session = lastConnected;
        if (session != null) {
            boolean _ = session.awaitEnd(timeout);
        }
    }

    boolean hasEnded() {
        return attempts.stream().allMatch(ConnectAttempts::hasEnded)
                && sessions.stream().allMatch(JsonRpcServerSession::hasEnded);
    }

    /** Waits until everything has ended; false if it has not in time. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = ticker.deadlineAfter(timeout);
        boolean ended = true;
        for (ConnectAttempts each : attempts) {
            ended &= each.awaitThreadEnd(atLeastBriefly(deadline));
        }
        for (JsonRpcServerSession each : sessions) {
            ended &= each.awaitEnd(atLeastBriefly(deadline));
        }
        return ended;
    }

    private Duration atLeastBriefly(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - ticker.nanoTime()));
    }
}

package dev.patchbay.server;

import dev.patchbay.mcp.Implementation;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The one owner of one server: connects it, notices its end at once, starts it again, and knows at
 * any time what is true of it. All callers share one connection and one series of attempts.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Supervisor {
    /** What the supervisors of a gateway have in common. */
    public record Shared(
            Opener opener,
            Implementation client,
            InstantSource clock,
            StartGate gate,
            Backoff backoff,
            Pause pause) {}

    private final ServerSpec spec;
    private final Shared shared;
    private final LinkListener listener;

    public Supervisor(ServerSpec spec, Shared shared, LinkListener listener) {
        this.spec = spec;
        this.shared = shared;
        this.listener = listener;
    }

    public ServerSpec spec() {
        return spec;
    }

    /** What is true now. Never waits. */
    public ServerState state() {
        throw new UnsupportedOperationException(shared + " " + listener);
    }

    public void addListener(StateListener listener) {
        throw new UnsupportedOperationException(shared + " " + listener);
    }

    /**
     * The live link, connected if need be. Whoever comes while attempts are under way waits for
     * these; a caller whose patience ends first leaves them going on.
     */
    public Link link(Duration patience) throws ServerUnavailable, InterruptedException {
        throw new UnsupportedOperationException(shared + " " + listener);
    }

    /** Begins to connect in the background, if the server is enabled and not connected. */
    public void start() {
        throw new UnsupportedOperationException(shared + " " + listener);
    }

    /** Allows the server and begins to connect. */
    public void enable() {
        throw new UnsupportedOperationException(shared + " " + listener);
    }

    /** Ends the server and every attempt to reach it. Calls in flight fail. */
    public void disable() {
        throw new UnsupportedOperationException(shared + " " + listener);
    }

    /** Ends the connection, if there is one, and begins anew with all attempts. */
    public void reconnect() {
        throw new UnsupportedOperationException(shared + " " + listener);
    }

    /** Ends the server for good. */
    public void stop() {
        throw new UnsupportedOperationException(shared + " " + listener);
    }

    /** Waits until what was opened has ended; false if it has not in time. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        throw new UnsupportedOperationException(shared + " " + listener);
    }
}

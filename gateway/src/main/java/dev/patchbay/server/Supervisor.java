package dev.patchbay.server;

import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Owns one server: connects it, notices its end, connects it again, and knows its state. All
 * callers share one session and one series of attempts.
 *
 * <p>What the supervisor does at a moment is one immutable {@link Phase}. It changes in one place,
 * {@link #transition}, under a lock that is never held while anything waits, opens, closes or is
 * notified.
 */
public final class Supervisor {
    /** What the supervisors of a gateway have in common. */
    public record Dependencies(
            TransportFactory transportFactory,
            Implementation clientInfo,
            InstantSource clock,
            StartLimiter startLimiter,
            Backoff backoff,
            Ticker ticker,
            int callsMax) {}

    private static final Duration UNUSED_SESSION_GRACE = Duration.ofMillis(100);

    private volatile ServerSpec spec;
    private final Dependencies dependencies;
    private final Ticker ticker;
    private final Handshake handshake;
    private final ConnectAttemptListener attemptReports;
    private final StateChangeDispatcher stateChanges;
    private final OpenResources resources;
    private final PhaseTransitions transitions;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile SupervisorSnapshot current;

    public Supervisor(ServerSpec spec, Dependencies dependencies, ServerEventListener listener) {
        this.spec = spec;
        this.dependencies = dependencies;
        this.ticker = dependencies.ticker();
        this.handshake =
                new Handshake(
                        spec.options().era(),
                        dependencies.clientInfo(),
                        new EraCache(ticker),
                        ticker);
        this.stateChanges = new StateChangeDispatcher(spec.id());
        this.resources = new OpenResources(ticker);
        this.transitions = new PhaseTransitions(this::spec, dependencies, this::newAttempts);
        this.attemptReports =
                new ConnectAttemptListener(
                        new SessionOpener(this::spec, dependencies, listener, this::onSessionEnded),
                        resources,
                        transitions,
                        change -> transition(change, null));
        this.current = transitions.initial();
    }

    public ServerSpec spec() {
        return spec;
    }

    /** Takes another specification with the same connection. The next attempts follow it. */
    public void updateSpec(ServerSpec other) {
        if (!spec.hasSameConnection(other)) {
            throw new IllegalArgumentException("Another connection of server " + spec.id());
        }
        spec = other;
    }

    /** The state now. Never waits, and never reports a session as connected that has ended. */
    public ServerState state() {
        return current.liveState(spec.id());
    }

    /** What the server has written since it was last opened that is not a message. */
    public StrayOutput strayOutput() {
        return resources.strayOutput();
    }

    /** What the server does while it starts; empty if nothing is known of it. */
    public String startActivity() {
        ConnectAttempts attempts = current.phase().attempts();
        return attempts == null ? "" : attempts.startActivity();
    }

    public void addListener(StateListener listener) {
        stateChanges.addListener(listener);
    }

    /** Sets the priority of the next start among the servers that wait to start. */
    public void startPriority(Priority priority) {
        attemptReports.setStartPriority(priority);
    }

    /**
     * The open session, connected if necessary. A caller that comes while attempts are under way
     * waits for them; a caller whose timeout ends first leaves them running.
     */
    public ServerSession session(Duration timeout)
            throws ServerUnavailableException, InterruptedException {
        return session(timeout, ticker.nanoTime());
    }

    /**
     * The same for an operation that began earlier. If attempts have failed since then, their
     * failure is the result, and no others are made.
     */
    public ServerSession session(Duration timeout, long startedNanos)
            throws ServerUnavailableException, InterruptedException {
        long deadline = ticker.deadlineAfter(timeout);
        while (true) {
            JsonRpcServerSession session = current.phase().session();
            if (session != null && session.isOpen()) {
                return session;
            }
            if (session != null) {
                onSessionEnded(session); // do not wait for the session to report it
            }
            ConnectAttempts attempts = attemptsToAwait(startedNanos);
            if (attempts != null) {
                JsonRpcServerSession connected = attempts.await(ticker.remaining(deadline));
                if (connected != null) {
                    return connected;
                }
            }
        }
    }

    /** The attempts to wait for; null if there is a session by now. */
    private @Nullable ConnectAttempts attemptsToAwait(long startedNanos)
            throws ServerUnavailableException {
        boolean _ =
                transition(now -> transitions.connectUnlessFailedSince(now, startedNanos), null);
        SupervisorSnapshot now = current;
        ServerFailure error = now.state().lastError();
        if (!now.phase().isEnabled()) {
            var failure = ServerFailure.notEnabled(spec.id(), now.phase());
            throw new ServerUnavailableException(spec.id(), failure);
        }
        if (now.phase() instanceof Phase.Idle && error != null) {
            throw new ServerUnavailableException(spec.id(), error);
        }
        return now.phase().attempts();
    }

    /** The failure of the last attempts if they ended after a time; null otherwise. */
    public @Nullable ServerFailure failureSince(long startedNanos) {
        SupervisorSnapshot now = current;
        return PhaseTransitions.hasFailedSince(now, startedNanos) ? now.state().lastError() : null;
    }

    private ConnectAttempts newAttempts(ConnectAttempts.Series series) {
        return new ConnectAttempts(spec, dependencies, handshake, attemptReports, series);
    }

    /** When the server is tried again in the background; null if it is not. */
    public @Nullable Instant nextAttemptAt() {
        Phase.Recovery next = current.phase() instanceof Phase.Idle idle ? idle.recovery() : null;
        return next == null ? null : next.at();
    }

    /** The session if it is open now; null if a caller would have to wait for one. */
    public @Nullable ServerSession currentSession() {
        JsonRpcServerSession session = current.phase().session();
        return session != null && session.isOpen() ? session : null;
    }

    /** Begins to connect in the background, if the server is enabled and not connected. */
    public void start() {
        boolean _ = transition(transitions::connect, null);
    }

    /** Allows the server and begins to connect. */
    public void enable() {
        boolean _ = transition(transitions::enable, null);
    }

    /** Ends the server and every attempt to reach it. Calls in flight fail. */
    public void disable() {
        boolean _ = transition(transitions::disable, "Server " + spec.id() + " was disabled");
    }

    /** Ends the connection, if there is one, and connects again with all attempts. */
    public void reconnect() {
        boolean _ =
                transition(transitions::reconnect, "Server " + spec.id() + " is being reconnected");
    }

    /**
     * Ends the connection, if there is one, as soon as its calls have ended. Callers that come
     * later open another.
     */
    public void leaveUnused() {
        JsonRpcServerSession session = current.phase().session();
        if (session != null && transition(now -> transitions.leaveUnused(now, session), null)) {
            closeWhenUnused(session);
        }
    }

    /** A caller may have found the session just before, and not have sent its call yet. */
    private void closeWhenUnused(JsonRpcServerSession session) {
        ticker.schedule(
                UNUSED_SESSION_GRACE, () -> Thread.ofVirtual().start(() -> closeIfUnused(session)));
    }

    private void closeIfUnused(JsonRpcServerSession session) {
        if (session.inFlightCount() == 0) {
            session.close("Server " + spec.id() + " was not used");
        } else {
            closeWhenUnused(session);
        }
    }

    /** Ends the server for good as soon as its calls have ended. */
    public void stopWhenUnused() {
        ticker.schedule(UNUSED_SESSION_GRACE, () -> Thread.ofVirtual().start(this::stopIfUnused));
    }

    private void stopIfUnused() {
        JsonRpcServerSession session = current.phase().session();
        if (session == null || session.inFlightCount() == 0) {
            stop();
        } else {
            stopWhenUnused();
        }
    }

    /** Whether the server was connected and has been stopped because nobody used it. */
    public boolean isStoppedUnused() {
        SupervisorSnapshot now = current;
        return now.phase() instanceof Phase.Idle
                && now.state().status() == ServerState.Status.DISCONNECTED
                && now.state().lastConnectedAt() != null;
    }

    /** Ends the server for good. */
    public void stop() {
        boolean _ = transition(transitions::stop, "Server " + spec.id() + " was stopped");
    }

    /** Whether everything that was opened has ended. */
    public boolean hasEnded() {
        return resources.hasEnded();
    }

    /** Waits until everything that was opened has ended; false if it has not in time. */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        return resources.awaitEnd(timeout);
    }

    /**
     * Replaces the phase, then does what follows from it: closes the session and cancels the
     * attempts that were left behind, starts new attempts, notifies the listeners.
     *
     * @param change the next snapshot, or the given one if nothing is to change
     * @param closeReason why a session that is left behind is closed; null if it ended by itself
     * @return whether anything changed
     */
    private boolean transition(
            UnaryOperator<SupervisorSnapshot> change, @Nullable String closeReason) {
        SupervisorSnapshot before;
        SupervisorSnapshot after;
        lock.lock();
        try {
            before = current;
            after = change.apply(before);
            if (!after.state().equals(before.state())) {
                stateChanges.enqueue(before.state(), after.state());
            }
            current = after;
        } finally {
            lock.unlock();
        }
        if (closeReason != null) {
            leave(before.phase(), after.phase(), closeReason);
        }
        ConnectAttempts attempts = after.phase().attempts();
        if (attempts != null && attempts != before.phase().attempts()) {
            resources.add(attempts);
            attempts.start();
        }
        if (after.phase() instanceof Phase.Idle idle && !idle.equals(before.phase())) {
            scheduleRecovery(idle);
        }
        stateChanges.dispatch();
        return !after.equals(before);
    }

    private void scheduleRecovery(Phase.Idle idle) {
        Phase.Recovery next = idle.recovery();
        if (next != null) {
            // Not on the thread of the ticker: listeners may block.
            ticker.schedule(next.delay(), () -> Thread.ofVirtual().start(() -> recover(idle)));
        }
    }

    private void recover(Phase.Idle idle) {
        boolean _ = transition(now -> transitions.recover(now, idle), null);
    }

    private void leave(Phase before, Phase after, String closeReason) {
        ConnectAttempts attempts = before.attempts();
        if (attempts != null && attempts != after.attempts()) {
            attempts.cancel(after.isEnabled() ? null : ServerFailure.notEnabled(spec.id(), after));
        }
        JsonRpcServerSession session = before.session();
        if (session != null && session != after.session()) {
            session.close(closeReason);
        }
    }

    private void onSessionEnded(JsonRpcServerSession session) {
        String reason = session.closeReason();
        boolean _ = transition(now -> transitions.ended(now, session, reason), null);
    }
}

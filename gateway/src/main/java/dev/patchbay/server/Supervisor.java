package dev.patchbay.server;

import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The one owner of one server: connects it, notices its end at once, starts it again, and knows at
 * any time what is true of it. All callers share one connection and one series of attempts. What is
 * true is changed under a lock that is never held while anything waits, opens or closes.
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

    /** A connection that ended sooner than this was no success: it spends the attempts further. */
    private static final Duration STABLE_CONNECTION_MIN = Duration.ofSeconds(10);

    private enum Mode {
        ENABLED,
        DISABLED,
        STOPPED
    }

    private final ServerSpec spec;
    private final Dependencies dependencies;
    private final Ticker ticker;
    private final SessionOptions sessionOptions;
    private final Handshake handshake;
    private final TransportOpenLimiter openLimiter;
    private final AttemptsOwner attemptsOwner = new AttemptsOwner();
    private final StateChangeDispatcher stateChanges;
    private final Set<JsonRpcServerSession> openedSessions =
            ConcurrentHashMap.newKeySet(); // may not have ended yet
    private final ReentrantLock lock = new ReentrantLock();
    private Mode mode;
    private volatile ServerState state;
    private @Nullable ConnectAttempts attempts;
    private volatile @Nullable ConnectAttempts latestAttempts;
    private volatile @Nullable JsonRpcServerSession session;
    private @Nullable JsonRpcServerSession previousSession;
    private volatile @Nullable JsonRpcServerSession latestSession;
    private long connectedNanos;
    private volatile Priority startPriority = Priority.NORMAL;

    public Supervisor(ServerSpec spec, Dependencies shared, ServerEventListener listener) {
        this.spec = spec;
        this.dependencies = shared;
        this.ticker = shared.ticker();
        this.sessionOptions = new SessionOptions(listener, shared.callsMax(), ticker);
        this.handshake =
                new Handshake(
                        spec.options().era(),
                        shared.clientInfo(),
                        new EraCache(shared.ticker()),
                        shared.ticker());
        this.openLimiter = new TransportOpenLimiter(shared.transportFactory());
        this.stateChanges = new StateChangeDispatcher(spec.id());
        this.mode = spec.enabled() ? Mode.ENABLED : Mode.DISABLED;
        this.state = ServerState.initial(spec.enabled());
    }

    public ServerSpec spec() {
        return spec;
    }

    /** What is true now. Never waits. */
    public ServerState state() {
        return state;
    }

    /** What the server wrote, since it was last opened, where only messages belong. */
    public StrayOutput strayOutput() {
        JsonRpcServerSession last = latestSession;
        return last == null ? StrayOutput.NONE : last.strayOutput();
    }

    public void addListener(StateListener listener) {
        stateChanges.addListener(listener);
    }

    /** Says when its turn is if it must be started beside others. */
    public void startPriority(Priority wanted) {
        startPriority = wanted;
    }

    /**
     * The live link, connected if need be. Whoever comes while attempts are under way waits for
     * these; a caller whose patience ends first leaves them going on.
     */
    public ServerSession session(Duration patience)
            throws ServerUnavailableException, InterruptedException {
        long deadline = ticker.deadlineAfter(patience);
        while (true) {
            JsonRpcServerSession live = session;
            if (live != null && live.isOpen()) {
                return live;
            }
            if (live != null) {
                onSessionEnded(
                        live); // as the link itself will say too, but a caller need not wait for it
            }
            ConnectAttempts wanted = attemptsToAwait();
            JsonRpcServerSession connected =
                    wanted == null ? null : wanted.await(remaining(deadline));
            if (connected != null) {
                return connected;
            }
        }
    }

    /** The effort to wait for; null if there is a link by now. */
    private @Nullable ConnectAttempts attemptsToAwait() throws ServerUnavailableException {
        lock.lock();
        try {
            if (mode != Mode.ENABLED) {
                throw new ServerUnavailableException(spec.id(), notEnabledFailure());
            }
            return session == null ? currentAttempts() : null;
        } finally {
            lock.unlock();
        }
    }

    /** The link if it is live now; null if somebody would have to wait for it. */
    public @Nullable ServerSession currentSession() {
        JsonRpcServerSession live = session;
        return live != null && live.isOpen() ? live : null;
    }

    /** Begins to connect in the background, if the server is enabled and not connected. */
    public void start() {
        lock.lock();
        try {
            if (mode == Mode.ENABLED && session == null) {
                currentAttempts();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Allows the server and begins to connect. */
    public void enable() {
        lock.lock();
        try {
            if (mode == Mode.DISABLED) {
                mode = Mode.ENABLED;
                changeState(Status.DISCONNECTED, null, 0);
                currentAttempts();
            }
        } finally {
            lock.unlock();
        }
        stateChanges.dispatch();
    }

    /** Ends the server and every attempt to reach it. Calls in flight fail. */
    public void disable() {
        JsonRpcServerSession ended = null;
        lock.lock();
        try {
            if (mode == Mode.ENABLED) {
                mode = Mode.DISABLED;
                ended = detach(notEnabledFailure());
                changeState(Status.DISABLED, null, 0);
            }
        } finally {
            lock.unlock();
        }
        close(ended, "Server " + spec.id() + " was disabled");
    }

    /** Ends the connection, if there is one, and begins anew with all attempts. */
    public void reconnect() {
        JsonRpcServerSession ended = null;
        lock.lock();
        try {
            if (mode == Mode.ENABLED) {
                ended = detach(null);
                if (state.status() != Status.DISCONNECTED) {
                    changeState(Status.DISCONNECTED, state.lastError(), 0);
                }
                currentAttempts();
            }
        } finally {
            lock.unlock();
        }
        close(ended, "Server " + spec.id() + " is being reconnected");
    }

    /** Ends the server for good. */
    public void stop() {
        JsonRpcServerSession ended;
        lock.lock();
        try {
            mode = Mode.STOPPED;
            ended = detach(notEnabledFailure());
            if (state.status() != Status.DISCONNECTED) {
                changeState(Status.DISCONNECTED, null, 0);
            }
        } finally {
            lock.unlock();
        }
        close(ended, "Server " + spec.id() + " was stopped");
    }

    /** Waits until everything that was opened has ended; false if it has not in time. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        long deadline = ticker.deadlineAfter(patience);
        ConnectAttempts last = latestAttempts;
        boolean ended = last == null || last.awaitThreadEnd(remaining(deadline));
        for (JsonRpcServerSession each : openedSessions) {
            ended &= each.awaitEnd(remaining(deadline));
        }
        return ended;
    }

    private Duration remaining(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - ticker.nanoTime()));
    }

    private ConnectAttempts currentAttempts() {
        ConnectAttempts current = attempts;
        return current == null ? startAttempts(0) : current;
    }

    private ConnectAttempts startAttempts(int spent) {
        var begun = new ConnectAttempts(spec, dependencies, handshake, attemptsOwner);
        attempts = begun;
        latestAttempts = begun;
        begun.start(spent, previousSession);
        return begun;
    }

    /** Leaves the link and the effort to nobody; the link that is to be closed. */
    private @Nullable JsonRpcServerSession detach(@Nullable ServerFailure why) {
        ConnectAttempts dropped = attempts;
        attempts = null;
        if (dropped != null) {
            dropped.cancel(why);
        }
        JsonRpcServerSession left = session;
        session = null;
        if (left != null) {
            previousSession = left;
        }
        return left;
    }

    private void close(@Nullable JsonRpcServerSession ended, String why) {
        if (ended != null) {
            ended.close(why);
        }
        stateChanges.dispatch();
    }

    /** Takes notice of the end of a link. */
    private void onSessionEnded(JsonRpcServerSession gone) {
        String words = gone.closeReason();
        lock.lock();
        try {
            if (session == gone) {
                session = null;
                previousSession = gone;
                reconnectAfterEnd(words);
            }
        } finally {
            lock.unlock();
        }
        stateChanges.dispatch();
    }

    private void reconnectAfterEnd(String words) {
        boolean lived = ticker.nanoTime() - connectedNanos >= STABLE_CONNECTION_MIN.toNanos();
        int spent = lived ? 0 : state.attempts();
        boolean again = spent <= spec.options().limits().maxRetries();
        String message =
                "Server %s ended: %s%s"
                        .formatted(
                                spec.id(),
                                words,
                                again ? "" : ". It ended too often soon after its start");
        changeState(Status.ERROR, ServerFailure.endedAfterConnect(message, spent), spent);
        if (again) {
            startAttempts(spent);
        }
    }

    private ServerFailure notEnabledFailure() {
        boolean disabled = mode == Mode.DISABLED;
        ErrorReason reason = disabled ? ErrorReason.SERVER_DISABLED : ErrorReason.CONNECTION_FAILED;
        String what = disabled ? " is disabled" : " is being stopped";
        String message = "Server " + spec.id() + what;
        return new ServerFailure(reason, message, "connect", 0, ExecutionStatus.NOT_SENT);
    }

    private void changeState(Status status, @Nullable ServerFailure error, int attempts) {
        changeState(new ServerState(status, error, state.lastConnectedAt(), attempts, null));
    }

    private void changeState(ServerState after) {
        ServerState now = state;
        if (!now.status().canChangeTo(after.status())) {
            throw new IllegalStateException(now.status() + " to " + after.status());
        }
        state = after;
        stateChanges.enqueue(now, after);
    }

    /** What efforts report. */
    private final class AttemptsOwner implements ConnectAttempts.Owner {
        @Override
        public JsonRpcServerSession openSession() throws IOException {
            openedSessions.removeIf(JsonRpcServerSession::hasEnded);
            var begun =
                    JsonRpcServerSession.start(
                            spec.id(),
                            openLimiter.open(spec),
                            sessionOptions,
                            Supervisor.this::onSessionEnded);
            openedSessions.add(begun);
            latestSession = begun;
            return begun;
        }

        @Override
        public Priority priority() {
            return startPriority;
        }

        @Override
        public boolean onAttempt(ConnectAttempts reporting, int attempt) {
            return runIfCurrent(
                    reporting, () -> changeState(Status.CONNECTING, state.lastError(), attempt));
        }

        @Override
        public boolean onFailure(ConnectAttempts reporting, ServerFailure trouble, boolean last) {
            return runIfCurrent(
                    reporting,
                    () -> {
                        if (last) {
                            attempts = null;
                        }
                        if (state.status() != Status.ERROR) {
                            changeState(Status.ERROR, trouble, trouble.attempts());
                        }
                    });
        }

        @Override
        public boolean onConnected(ConnectAttempts reporting, JsonRpcServerSession connected) {
            return runIfCurrent(
                    reporting,
                    () -> {
                        Instant now = dependencies.clock().instant();
                        attempts = null;
                        session = connected;
                        startPriority = Priority.NORMAL;
                        connectedNanos = ticker.nanoTime();
                        changeState(
                                new ServerState(
                                        Status.CONNECTED,
                                        null,
                                        now,
                                        state.attempts(),
                                        connected.handshakeResult()));
                        if (!connected.isOpen()) {
                            session = null;
                            previousSession = connected;
                            reconnectAfterEnd("it ended right after the handshake");
                        }
                    });
        }

        private boolean runIfCurrent(ConnectAttempts reporting, Runnable change) {
            lock.lock();
            try {
                if (attempts != reporting) {
                    return false;
                }
                change.run();
            } finally {
                lock.unlock();
            }
            stateChanges.dispatch();
            return true;
        }
    }
}

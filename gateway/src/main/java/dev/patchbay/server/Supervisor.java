package dev.patchbay.server;

import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.StartGate.Turn;

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
    public record Shared(
            Opener opener,
            Implementation client,
            InstantSource clock,
            StartGate gate,
            Backoff backoff,
            Pause pause,
            int callsMax) {}

    /** A connection that ended sooner than this was no success: it spends the attempts further. */
    private static final Duration LIFE_MIN = Duration.ofSeconds(10);

    private enum Mode {
        ENABLED,
        DISABLED,
        STOPPED
    }

    private final ServerSpec spec;
    private final Shared shared;
    private final LinkListener linkListener;
    private final Handshake handshake;
    private final Openings openings;
    private final Owner owner = new Owner();
    private final StateNews news;
    private final Set<LiveLink> opened = ConcurrentHashMap.newKeySet(); // may not have ended yet
    private final ReentrantLock lock = new ReentrantLock();
    private Mode mode;
    private volatile ServerState state;
    private @Nullable Effort effort;
    private volatile @Nullable Effort lastEffort;
    private volatile @Nullable LiveLink link;
    private @Nullable LiveLink before;
    private volatile @Nullable LiveLink newest;
    private long linkedNanos;
    private volatile Turn turn = Turn.USUAL;

    public Supervisor(ServerSpec spec, Shared shared, LinkListener listener) {
        this.spec = spec;
        this.shared = shared;
        this.linkListener = listener;
        this.handshake = new Handshake(spec.options().era(), shared.client(), new EraMemory());
        this.openings = new Openings(shared.opener());
        this.news = new StateNews(spec.id());
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
    public Chatter chatter() {
        LiveLink last = newest;
        return last == null ? Chatter.NONE : last.chatter();
    }

    public void addListener(StateListener listener) {
        news.add(listener);
    }

    /** Says when its turn is if it must be started beside others. */
    public void turn(Turn wanted) {
        turn = wanted;
    }

    /**
     * The live link, connected if need be. Whoever comes while attempts are under way waits for
     * these; a caller whose patience ends first leaves them going on.
     */
    public Link link(Duration patience) throws ServerUnavailable, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            LiveLink live = link;
            if (live != null && live.isOpen()) {
                return live;
            }
            if (live != null) {
                ended(live); // as the link itself will say too, but a caller need not wait for it
            }
            Effort wanted = wantedEffort();
            LiveLink connected = wanted == null ? null : wanted.await(left(deadline));
            if (connected != null) {
                return connected;
            }
        }
    }

    /** The effort to wait for; null if there is a link by now. */
    private @Nullable Effort wantedEffort() throws ServerUnavailable {
        lock.lock();
        try {
            if (mode != Mode.ENABLED) {
                throw new ServerUnavailable(spec.id(), notAllowed());
            }
            return link == null ? currentEffort() : null;
        } finally {
            lock.unlock();
        }
    }

    /** The link if it is live now; null if somebody would have to wait for it. */
    public @Nullable Link liveLink() {
        LiveLink live = link;
        return live != null && live.isOpen() ? live : null;
    }

    /** Begins to connect in the background, if the server is enabled and not connected. */
    public void start() {
        lock.lock();
        try {
            if (mode == Mode.ENABLED && link == null) {
                currentEffort();
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
                move(Status.DISCONNECTED, null, 0);
                currentEffort();
            }
        } finally {
            lock.unlock();
        }
        news.tell();
    }

    /** Ends the server and every attempt to reach it. Calls in flight fail. */
    public void disable() {
        LiveLink ended = null;
        lock.lock();
        try {
            if (mode == Mode.ENABLED) {
                mode = Mode.DISABLED;
                ended = letGo(notAllowed());
                move(Status.DISABLED, null, 0);
            }
        } finally {
            lock.unlock();
        }
        close(ended, "Server " + spec.id() + " was disabled");
    }

    /** Ends the connection, if there is one, and begins anew with all attempts. */
    public void reconnect() {
        LiveLink ended = null;
        lock.lock();
        try {
            if (mode == Mode.ENABLED) {
                ended = letGo(null);
                if (state.status() != Status.DISCONNECTED) {
                    move(Status.DISCONNECTED, state.lastError(), 0);
                }
                currentEffort();
            }
        } finally {
            lock.unlock();
        }
        close(ended, "Server " + spec.id() + " is being reconnected");
    }

    /** Ends the server for good. */
    public void stop() {
        LiveLink ended;
        lock.lock();
        try {
            mode = Mode.STOPPED;
            ended = letGo(notAllowed());
            if (state.status() != Status.DISCONNECTED) {
                move(Status.DISCONNECTED, null, 0);
            }
        } finally {
            lock.unlock();
        }
        close(ended, "Server " + spec.id() + " was stopped");
    }

    /** Waits until everything that was opened has ended; false if it has not in time. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Effort last = lastEffort;
        boolean ended = last == null || last.join(left(deadline));
        for (LiveLink each : opened) {
            ended &= each.awaitEnd(left(deadline));
        }
        return ended;
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    private Effort currentEffort() {
        Effort current = effort;
        return current == null ? newEffort(0) : current;
    }

    private Effort newEffort(int spent) {
        var begun = new Effort(spec, shared, handshake, owner);
        effort = begun;
        lastEffort = begun;
        begun.start(spent, before);
        return begun;
    }

    /** Leaves the link and the effort to nobody; the link that is to be closed. */
    private @Nullable LiveLink letGo(@Nullable Trouble why) {
        Effort dropped = effort;
        effort = null;
        if (dropped != null) {
            dropped.drop(why);
        }
        LiveLink left = link;
        link = null;
        if (left != null) {
            before = left;
        }
        return left;
    }

    private void close(@Nullable LiveLink ended, String why) {
        if (ended != null) {
            ended.close(why);
        }
        news.tell();
    }

    /** Takes notice of the end of a link. */
    private void ended(LiveLink gone) {
        String words = gone.lastWords();
        lock.lock();
        try {
            if (link == gone) {
                link = null;
                before = gone;
                restart(words);
            }
        } finally {
            lock.unlock();
        }
        news.tell();
    }

    private void restart(String words) {
        boolean lived = System.nanoTime() - linkedNanos >= LIFE_MIN.toNanos();
        int spent = lived ? 0 : state.attempts();
        boolean again = spent <= spec.options().limits().maxRetries();
        String message =
                "Server %s ended: %s%s"
                        .formatted(
                                spec.id(),
                                words,
                                again ? "" : ". It ended too often soon after its start");
        move(Status.ERROR, Trouble.ended(message, spent), spent);
        if (again) {
            newEffort(spent);
        }
    }

    private Trouble notAllowed() {
        boolean disabled = mode == Mode.DISABLED;
        Reason reason = disabled ? Reason.SERVER_DISABLED : Reason.CONNECTION_FAILED;
        String what = disabled ? " is disabled" : " is being stopped";
        String message = "Server " + spec.id() + what;
        return new Trouble(reason, message, "connect", 0, Execution.NOT_SENT);
    }

    private void move(Status status, @Nullable Trouble error, int attempts) {
        move(new ServerState(status, error, state.lastConnectedAt(), attempts, null));
    }

    private void move(ServerState after) {
        ServerState now = state;
        if (!now.status().mayBecome(after.status())) {
            throw new IllegalStateException(now.status() + " to " + after.status());
        }
        state = after;
        news.note(now, after);
    }

    /** What efforts report. */
    private final class Owner implements Effort.Owner {
        @Override
        public LiveLink open() throws IOException {
            opened.removeIf(LiveLink::hasEnded);
            var begun =
                    LiveLink.over(
                            spec.id(),
                            openings.open(spec),
                            linkListener,
                            shared.callsMax(),
                            Supervisor.this::ended);
            opened.add(begun);
            newest = begun;
            return begun;
        }

        @Override
        public Turn turn() {
            return turn;
        }

        @Override
        public boolean attempting(Effort reporting, int attempt) {
            return whileCurrent(
                    reporting, () -> move(Status.CONNECTING, state.lastError(), attempt));
        }

        @Override
        public boolean failed(Effort reporting, Trouble trouble, boolean last) {
            return whileCurrent(
                    reporting,
                    () -> {
                        if (last) {
                            effort = null;
                        }
                        if (state.status() != Status.ERROR) {
                            move(Status.ERROR, trouble, trouble.attempts());
                        }
                    });
        }

        @Override
        public boolean connected(Effort reporting, LiveLink connected) {
            return whileCurrent(
                    reporting,
                    () -> {
                        Instant now = shared.clock().instant();
                        effort = null;
                        link = connected;
                        turn = Turn.USUAL;
                        linkedNanos = System.nanoTime();
                        move(
                                new ServerState(
                                        Status.CONNECTED,
                                        null,
                                        now,
                                        state.attempts(),
                                        connected.facts()));
                        if (!connected.isOpen()) {
                            link = null;
                            before = connected;
                            restart("it ended right after the handshake");
                        }
                    });
        }

        private boolean whileCurrent(Effort reporting, Runnable change) {
            lock.lock();
            try {
                if (effort != reporting) {
                    return false;
                }
                change.run();
            } finally {
                lock.unlock();
            }
            news.tell();
            return true;
        }
    }
}

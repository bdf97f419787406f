package dev.patchbay.server;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.StartLimiter.Permit;
import dev.patchbay.server.StartLimiter.Priority;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One series of attempts to connect a server, shared by all who want the link. Its supervisor may
 * drop it at any time; what it reports after that changes nothing.
 */
final class ConnectAttempts {
    /** Told of the course of an effort. Each method is false if the effort was dropped. */
    interface Owner {
        boolean onAttempt(ConnectAttempts effort, int attempt);

        boolean onFailure(ConnectAttempts effort, ServerFailure trouble, boolean last);

        boolean onConnected(ConnectAttempts effort, JsonRpcServerSession link);

        /** Opens the server and listens to it, without a word. */
        JsonRpcServerSession openSession() throws IOException;

        /** When its turn is among the servers that want to start. */
        Priority priority();
    }

    private static final Duration PREVIOUS_SESSION_WAIT_MAX = Duration.ofSeconds(5);

    /** A start that takes longer than this hangs, and needs no processor. */
    private static final Duration OPEN_PERMIT_HOLD_MAX = Duration.ofMillis(100);

    private final ServerSpec spec;
    private final Supervisor.Dependencies dependencies;
    private final Handshake handshake;
    private final Owner owner;
    private final CountDownLatch completed = new CountDownLatch(1);
    private volatile int attemptNumber;
    private volatile @Nullable JsonRpcServerSession session;
    private volatile @Nullable ServerFailure failure;
    private volatile @Nullable ServerFailure lastAttemptFailure;
    private volatile @Nullable Thread thread;

    ConnectAttempts(
            ServerSpec spec, Supervisor.Dependencies shared, Handshake handshake, Owner owner) {
        this.spec = spec;
        this.dependencies = shared;
        this.handshake = handshake;
        this.owner = owner;
    }

    /**
     * Begins, with so many attempts already spent, behind the end of the link before. On a platform
     * thread, as starting a process blocks whatever thread does it.
     */
    void start(int spent, @Nullable JsonRpcServerSession before) {
        attemptNumber = spent;
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("connect " + spec.id())
                        .start(() -> run(spent, before));
    }

    /** Gives up. Without a reason, whoever waits is to look for the effort that follows. */
    void cancel(@Nullable ServerFailure why) {
        complete(null, why);
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Waits for the link, but no longer than patience lasts; null if another effort follows. */
    @Nullable JsonRpcServerSession await(Duration patience)
            throws ServerUnavailableException, InterruptedException {
        boolean over = dependencies.ticker().await(completed, patience);
        ServerFailure known = over ? failure : notConnectedYet(patience);
        if (known != null) {
            throw new ServerUnavailableException(spec.id(), known);
        }
        return session;
    }

    /** Waits until the effort has no thread any more. */
    boolean awaitThreadEnd(Duration patience) throws InterruptedException {
        Thread running = thread;
        return running == null || running.join(patience);
    }

    private ServerFailure notConnectedYet(Duration patience) {
        ServerFailure last = lastAttemptFailure;
        String cause = last == null ? "" : " " + last.message();
        return failure(
                ErrorReason.CONNECTION_TIMEOUT,
                last == null ? FailureKind.TIMEOUT : last.kind(),
                "Server %s is not connected after %d ms (attempt %d of %d).%s"
                        .formatted(
                                spec.id(),
                                patience.toMillis(),
                                attemptNumber,
                                attemptsMax(),
                                cause));
    }

    private void run(int spent, @Nullable JsonRpcServerSession before) {
        try {
            if (before != null) {
                before.awaitEnd(PREVIOUS_SESSION_WAIT_MAX);
            }
            if (spent > 0) {
                dependencies.ticker().sleep(dependencies.backoff().delayAfter(spent));
            }
            int attempt = spent;
            do {
                attempt++;
            } while (tryConnect(attempt));
        } catch (InterruptedException _) {
            // Dropped: whoever did it has said what is true now.
        } catch (RuntimeException | Error e) {
            log().log(ERROR, "Connecting server " + spec.id() + " failed", e);
            reportFailure(
                    ConnectFailedException.of(
                            FailureKind.OTHER, "the gateway failed to connect it"),
                    true);
        }
    }

    /** Tries once; whether to try again. */
    private boolean tryConnect(int attempt) throws InterruptedException {
        attemptNumber = attempt;
        if (!owner.onAttempt(this, attempt)) {
            return false;
        }
        try {
            JsonRpcServerSession connected = openAndHandshake();
            if (owner.onConnected(this, connected)) {
                complete(connected, null);
            } else {
                connected.abort("nobody wants it any more");
            }
            return false;
        } catch (ConnectFailedException e) {
            boolean last = attempt >= attemptsMax() || e.isPermanent();
            if (!reportFailure(e, last) || last) {
                return false;
            }
            if (!e.shouldRetryImmediately()) {
                Duration wait = dependencies.backoff().delayAfter(attempt);
                Duration asked = e.retryAfter();
                dependencies.ticker().sleep(wait.compareTo(asked) > 0 ? wait : asked);
            }
            return true;
        }
    }

    private JsonRpcServerSession openAndHandshake()
            throws ConnectFailedException, InterruptedException {
        if (spec.transport() instanceof ServerSpec.Transport.NotTrusted untrusted) {
            throw ConnectFailedException.notTrusted(untrusted.problem());
        }
        try (Permit pass = dependencies.startLimiter().acquire(owner::priority)) {
            JsonRpcServerSession opened = open(pass);
            pass.holdWhile(opened::isUsingCpu);
            boolean agreed = false;
            try {
                Duration timeout = spec.options().limits().connectionTimeout();
                handshake.perform(opened, timeout, attemptNumber >= attemptsMax());
                agreed = true;
                return opened;
            } catch (ConnectFailedException e) {
                throw e.retryAfter(opened.retryAfter());
            } finally {
                if (!agreed) {
                    opened.abort("it was not connected in time");
                }
            }
        }
    }

    /** Opens the server. That may hang and cannot be ended: then the effort fails all the same. */
    private JsonRpcServerSession open(Permit pass)
            throws ConnectFailedException, InterruptedException {
        var returned = new CountDownLatch(1);
        var judged = new AtomicBoolean();
        Thread.ofVirtual().start(() -> failUnlessOpened(returned, judged, pass));
        try {
            JsonRpcServerSession opened = owner.openSession();
            if (!judged.compareAndSet(false, true)) {
                opened.abort("it was started too late");
                throw new InterruptedException("Given up");
            }
            return opened;
        } catch (IOException e) {
            if (!judged.compareAndSet(false, true)) {
                throw new InterruptedException("Given up");
            }
            throw ConnectFailedException.of(
                    FailureKind.START_FAILED, String.valueOf(e.getMessage()));
        } finally {
            returned.countDown();
        }
    }

    private void failUnlessOpened(CountDownLatch returned, AtomicBoolean judged, Permit pass) {
        Duration timeout = spec.options().limits().connectionTimeout();
        try {
            if (dependencies.ticker().await(returned, OPEN_PERMIT_HOLD_MAX)) {
                return;
            }
            pass.close(); // others need not wait for it
            if (!dependencies.ticker().await(returned, timeout.minus(OPEN_PERMIT_HOLD_MAX))
                    && judged.compareAndSet(false, true)) {
                String why = "it was not started within %d ms".formatted(timeout.toMillis());
                reportFailure(ConnectFailedException.timeout(why), true);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean reportFailure(ConnectFailedException failed, boolean last) {
        String message =
                last
                        ? "Server %s could not be connected in %d attempt%s. The last: %s"
                        : "Server %s: attempt %d of %d to connect failed: %s";
        Object count = last ? attemptNumber == 1 ? "" : "s" : attemptsMax();
        String text =
                switch (failed.kind()) {
                    case UNAUTHORIZED ->
                            "Server %s does not let us in: %s"
                                    .formatted(spec.id(), failed.detail());
                    case NOT_TRUSTED ->
                            "Server %s is not trusted: %s".formatted(spec.id(), failed.detail());
                    default -> message.formatted(spec.id(), attemptNumber, count, failed.detail());
                };
        ServerFailure now = failure(failed.reason(), failed.kind(), text);
        lastAttemptFailure = now;
        boolean wanted = owner.onFailure(this, now, last);
        if (last) {
            complete(null, now);
        }
        return wanted;
    }

    private ServerFailure failure(ErrorReason reason, FailureKind symptom, String message) {
        return new ServerFailure(
                reason, message, "connect", attemptNumber, ExecutionStatus.NOT_SENT, symptom);
    }

    private int attemptsMax() {
        return spec.options().limits().maxRetries() + 1;
    }

    private synchronized void complete(
            @Nullable JsonRpcServerSession connected, @Nullable ServerFailure why) {
        if (completed.getCount() > 0) {
            session = connected;
            failure = why;
            completed.countDown();
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(ConnectAttempts.class.getName());
    }
}

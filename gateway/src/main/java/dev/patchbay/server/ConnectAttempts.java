package dev.patchbay.server;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.StartLimiter.Permit;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One series of attempts to connect a server, shared by all callers that need a session. Its owner
 * may cancel it at any time; reports after that have no effect.
 */
final class ConnectAttempts {
    /** Receives the reports of a series. Returns false if the series was cancelled. */
    interface Owner {
        boolean onAttempt(ConnectAttempts attempts, int number);

        boolean onFailure(ConnectAttempts attempts, ServerFailure failure, Next next);

        boolean onConnected(ConnectAttempts attempts, JsonRpcServerSession session);

        /** Opens the server and begins to read from it. Sends nothing. */
        JsonRpcServerSession openSession() throws IOException;

        /** Waits for the end of the session that was connected before. */
        void awaitPreviousEnd(Duration timeout) throws InterruptedException;

        /** The priority among the servers that wait to start. */
        Priority priority();
    }

    /**
     * Which attempts a series makes.
     *
     * @param spent how many of the configured attempts are used up already
     * @param recoveries for an attempt in the background, its number; otherwise 0
     */
    record Series(int spent, int recoveries) {}

    /** What follows a failed attempt. */
    enum Next {
        /** Another attempt of the same series. */
        ATTEMPT,
        /** An attempt in the background, later. */
        RECOVERY,
        /** Nothing, until somebody asks: the failure does not heal by itself. */
        NOTHING
    }

    private static final Duration PREVIOUS_SESSION_WAIT_MAX = Duration.ofSeconds(5);

    /** A start that takes longer is hanging and uses no processor. */
    private static final Duration OPEN_PERMIT_HOLD_MAX = Duration.ofMillis(100);

    private final ServerSpec spec;
    private final Supervisor.Dependencies dependencies;
    private final Handshake handshake;
    private final Owner owner;
    private final Series series;
    private final CountDownLatch completed = new CountDownLatch(1);
    private volatile int attemptNumber;
    private volatile @Nullable JsonRpcServerSession session;
    private volatile @Nullable ServerFailure failure;
    private volatile @Nullable ServerFailure lastAttemptFailure;
    private volatile @Nullable PackageRunnerStart packageStart;
    private volatile @Nullable Thread thread;

    ConnectAttempts(
            ServerSpec spec,
            Supervisor.Dependencies dependencies,
            Handshake handshake,
            Owner owner,
            Series series) {
        this.spec = spec;
        this.dependencies = dependencies;
        this.handshake = handshake;
        this.owner = owner;
        this.series = series;
        this.attemptNumber = series.spent();
    }

    /** How many attempts in the background failed in a row, with this one; 0 if it is not one. */
    int recoveries() {
        return series.recoveries();
    }

    /**
     * Starts the thread that connects, unless the series was cancelled. It is a platform thread, as
     * starting a process blocks its thread.
     */
    synchronized void start() {
        if (completed.getCount() > 0) {
            thread = Thread.ofPlatform().daemon().name("connect " + spec.id()).start(this::run);
        }
    }

    /**
     * Ends the series. Callers that wait get the failure; without one they look for the series that
     * follows.
     */
    synchronized void cancel(@Nullable ServerFailure reason) {
        complete(null, reason);
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Waits for the session; null if the series was cancelled and another one follows. */
    @Nullable JsonRpcServerSession await(Duration timeout)
            throws ServerUnavailableException, InterruptedException {
        boolean isCompleted = dependencies.ticker().await(completed, timeout);
        ServerFailure known = isCompleted ? failure : notConnectedYet(timeout);
        if (known != null) {
            throw new ServerUnavailableException(spec.id(), known);
        }
        return session;
    }

    /** Waits until the thread has ended. */
    boolean awaitThreadEnd(Duration timeout) throws InterruptedException {
        Thread running = thread;
        return running == null || running.join(timeout);
    }

    boolean hasEnded() {
        Thread running = thread;
        return completed.getCount() == 0 && (running == null || !running.isAlive());
    }

    private ServerFailure notConnectedYet(Duration timeout) {
        ServerFailure last = lastAttemptFailure;
        String activity = startActivity();
        String doing = activity.isEmpty() ? "" : " " + activity + ".";
        String cause = last == null ? doing : doing + " " + last.message();
        return failure(
                ErrorReason.CONNECTION_TIMEOUT,
                last == null ? FailureKind.TIMEOUT : last.kind(),
                "Server %s is not connected after %d ms (attempt %d of %d).%s"
                        .formatted(
                                spec.id(),
                                timeout.toMillis(),
                                attemptNumber,
                                attemptsMax(),
                                cause));
    }

    private void run() {
        int spent = attemptNumber;
        try {
            owner.awaitPreviousEnd(PREVIOUS_SESSION_WAIT_MAX);
            if (spent > 0 && series.recoveries() == 0) {
                dependencies.ticker().sleep(dependencies.backoff().delayAfter(spent));
            }
            int attempt = spent;
            do {
                attempt++;
            } while (tryConnect(attempt));
        } catch (InterruptedException _) {
            // Cancelled: the owner has set the state.
        } catch (RuntimeException | Error e) {
            log().log(ERROR, "Connecting server " + spec.id() + " failed", new LoggedFailure(e));
            reportFailure(
                    ConnectFailedException.of(FailureKind.OTHER, "the gateway failed to connect"),
                    Next.NOTHING);
        }
    }

    /** Tries once; true to try again. */
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
                connected.abort("the connection is no longer wanted");
            }
            return false;
        } catch (ConnectFailedException e) {
            Next next = nextAfter(e, attempt);
            if (!reportFailure(e, next) || next != Next.ATTEMPT) {
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

    private Next nextAfter(ConnectFailedException failed, int attempt) {
        if (failed.isPermanent()) {
            return Next.NOTHING;
        }
        if (attempt < attemptsMax()) {
            return Next.ATTEMPT;
        }
        return failed.kind() == FailureKind.NO_COMMON_VERSION ? Next.NOTHING : Next.RECOVERY;
    }

    private JsonRpcServerSession openAndHandshake()
            throws ConnectFailedException, InterruptedException {
        if (spec.transport() instanceof ServerSpec.Transport.NotTrusted untrusted) {
            throw ConnectFailedException.notTrusted(untrusted.problem());
        }
        if (spec.transport() instanceof ServerSpec.Transport.Invalid invalid) {
            throw ConnectFailedException.invalidConfig(invalid.problem());
        }
        try (Permit pass = dependencies.startLimiter().acquire(owner::priority)) {
            JsonRpcServerSession opened = open(pass);
            pass.holdWhile(opened.transport()::isUsingCpu);
            boolean agreed = false;
            try {
                performHandshake(opened);
                agreed = true;
                return opened;
            } catch (ConnectFailedException e) {
                throw e.masked(opened.transport()::maskSecrets)
                        .retryAfter(opened.transport().retryAfter());
            } finally {
                if (!agreed) {
                    opened.abort("it did not connect in time");
                }
            }
        }
    }

    private void performHandshake(JsonRpcServerSession opened)
            throws ConnectFailedException, InterruptedException {
        Duration timeout = spec.options().limits().connectionTimeout();
        boolean last = attemptNumber >= attemptsMax();
        if (opened.transport().packageRunner().isEmpty()) {
            handshake.perform(opened, timeout, last);
            return;
        }
        try (var start = new PackageRunnerStart(opened, timeout, dependencies.ticker())) {
            packageStart = start;
            handshake.perform(opened, PackageRunnerStart.TIMEOUT_MAX, last);
        } catch (ConnectFailedException e) {
            PackageRunnerStart start = packageStart;
            throw start != null && start.isStuck()
                    ? ConnectFailedException.timeout(start.stuckMessage())
                    : e;
        } finally {
            packageStart = null;
        }
    }

    /** What a package runner does that has not started the server yet; empty if there is none. */
    String startActivity() {
        PackageRunnerStart start = packageStart;
        return start == null ? "" : start.activity();
    }

    /** Opens the server. An open that hangs cannot be ended; the series fails without it. */
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
        } catch (SecretMissingException e) {
            throw ConnectFailedException.secretMissing(String.valueOf(e.getMessage()));
        } catch (SandboxUnavailableException e) {
            throw ConnectFailedException.sandboxUnavailable(String.valueOf(e.getMessage()));
        } catch (PermanentOpenException e) {
            throw ConnectFailedException.permanent(String.valueOf(e.getMessage()));
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
                String why = "it did not start within %d ms".formatted(timeout.toMillis());
                reportFailure(ConnectFailedException.timeout(why), Next.RECOVERY);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean reportFailure(ConnectFailedException failed, Next next) {
        boolean last = next != Next.ATTEMPT;
        ServerFailure now = failure(failed.reason(), failed.kind(), describe(failed, last));
        lastAttemptFailure = now;
        boolean wanted = owner.onFailure(this, now, next);
        if (last) {
            complete(null, now);
        }
        return wanted;
    }

    private String describe(ConnectFailedException failed, boolean last) {
        if (failed.kind() == FailureKind.UNAUTHORIZED) {
            return "Server %s requires sign-in: %s".formatted(spec.id(), failed.detail());
        }
        if (failed.kind() == FailureKind.NOT_TRUSTED) {
            return "Server %s is not trusted: %s".formatted(spec.id(), failed.detail());
        }
        if (failed.kind() == FailureKind.INVALID_CONFIG) {
            return "Server %s has an invalid configuration: %s"
                    .formatted(spec.id(), failed.detail());
        }
        if (failed.kind() == FailureKind.SECRET_MISSING
                || failed.kind() == FailureKind.SANDBOX_UNAVAILABLE) {
            return "Server %s cannot be started: %s".formatted(spec.id(), failed.detail());
        }
        if (failed.isPermanent()) {
            return "Server %s cannot be started: %s. It is not tried again until this is fixed"
                    .formatted(spec.id(), failed.detail());
        }
        if (last) {
            String plural = attemptNumber == 1 ? "" : "s";
            return "Server %s could not be connected in %d attempt%s. Last error: %s"
                    .formatted(spec.id(), attemptNumber, plural, failed.detail());
        }
        return "Server %s: attempt %d of %d to connect failed: %s"
                .formatted(spec.id(), attemptNumber, attemptsMax(), failed.detail());
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

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(ConnectAttempts.class.getName());
    }
}

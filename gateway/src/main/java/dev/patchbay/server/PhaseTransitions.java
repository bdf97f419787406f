package dev.patchbay.server;

import dev.patchbay.server.ServerState.Status;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The rules by which the phase of a supervisor changes. Each method gives the next snapshot, or the
 * given one if the event changes nothing. None of them waits or has a side effect.
 */
final class PhaseTransitions {
    /** A connection that ends sooner than this counts as a failed attempt. */
    private static final Duration STABLE_CONNECTION_MIN = Duration.ofSeconds(10);

    private final Supplier<ServerSpec> spec;
    private final Ticker ticker;
    private final InstantSource clock;
    private final Backoff backoff;
    private final Function<ConnectAttempts.Series, ConnectAttempts> newAttempts;

    /** The last parameter creates a series of attempts. */
    PhaseTransitions(
            Supplier<ServerSpec> spec,
            Supervisor.Dependencies dependencies,
            Function<ConnectAttempts.Series, ConnectAttempts> newAttempts) {
        this.spec = spec;
        this.ticker = dependencies.ticker();
        this.clock = dependencies.clock();
        this.backoff = dependencies.backoff();
        this.newAttempts = newAttempts;
    }

    SupervisorSnapshot initial() {
        return new SupervisorSnapshot(
                spec.get().enabled() ? idle(false, null) : new Phase.Disabled(),
                ServerState.initial(spec.get().enabled()));
    }

    SupervisorSnapshot connect(SupervisorSnapshot now) {
        return now.phase() instanceof Phase.Idle ? now.with(attempts(0)) : now;
    }

    /**
     * Connects for an operation, unless a series of attempts has failed since the operation began.
     * So an operation that needs the server twice does not start it twice as often as configured.
     */
    SupervisorSnapshot connectUnlessFailedSince(SupervisorSnapshot now, long startedNanos) {
        return hasFailedSince(now, startedNanos) ? now : connect(now);
    }

    static boolean hasFailedSince(SupervisorSnapshot now, long startedNanos) {
        return now.phase() instanceof Phase.Idle(boolean hasFailed, long since, _)
                && hasFailed
                && since - startedNanos > 0;
    }

    /** Begins the attempt in the background for which a phase has waited, if it is still there. */
    SupervisorSnapshot recover(SupervisorSnapshot now, Phase.Idle waiting) {
        Phase.Recovery recovery = waiting.recovery();
        if (recovery == null || !now.phase().equals(waiting)) {
            return now;
        }
        int spent = spec.get().options().limits().maxRetries();
        return now.with(
                new Phase.Backoff(
                        newAttempts.apply(new ConnectAttempts.Series(spent, recovery.number()))));
    }

    SupervisorSnapshot enable(SupervisorSnapshot now) {
        return now.phase() instanceof Phase.Disabled
                ? now.with(attempts(0), Status.DISCONNECTED, null, 0)
                : now;
    }

    SupervisorSnapshot disable(SupervisorSnapshot now) {
        return now.phase().isEnabled()
                ? now.with(new Phase.Disabled(), Status.DISABLED, null, 0)
                : now;
    }

    SupervisorSnapshot reconnect(SupervisorSnapshot now) {
        return now.phase().isEnabled()
                ? disconnected(now, attempts(0), now.state().lastError())
                : now;
    }

    /** Leaves a connection that nobody uses. It is opened again when somebody asks. */
    SupervisorSnapshot leaveUnused(SupervisorSnapshot now, JsonRpcServerSession session) {
        return now.phase().session() == session
                ? now.with(idle(false, null), Status.DISCONNECTED, null, 0)
                : now;
    }

    SupervisorSnapshot stop(SupervisorSnapshot now) {
        return disconnected(now, new Phase.Closed(), null);
    }

    private static SupervisorSnapshot disconnected(
            SupervisorSnapshot now, Phase next, @Nullable ServerFailure error) {
        return now.state().status() == Status.DISCONNECTED
                ? now.with(next)
                : now.with(next, Status.DISCONNECTED, error, 0);
    }

    SupervisorSnapshot attempt(SupervisorSnapshot now, ConnectAttempts attempts, int number) {
        return now.phase().attempts() == attempts
                ? now.with(
                        new Phase.Connecting(attempts),
                        Status.CONNECTING,
                        now.state().lastError(),
                        number)
                : now;
    }

    SupervisorSnapshot failure(
            SupervisorSnapshot now,
            ConnectAttempts attempts,
            ServerFailure failure,
            ConnectAttempts.Next after) {
        if (now.phase().attempts() != attempts) {
            return now;
        }
        Phase next =
                switch (after) {
                    case ATTEMPT -> new Phase.Backoff(attempts);
                    case RECOVERY -> idle(true, recovery(attempts.recoveries() + 1));
                    case NOTHING -> idle(true, null);
                };
        return now.state().status() == Status.ERROR
                ? now.with(next)
                : now.with(next, Status.ERROR, failure, failure.attempts());
    }

    SupervisorSnapshot connected(
            SupervisorSnapshot now, ConnectAttempts attempts, JsonRpcServerSession session) {
        if (now.phase().attempts() != attempts) {
            return now;
        }
        return now.with(
                new Phase.Connected(session, ticker.nanoTime()),
                new ServerState(
                        Status.CONNECTED,
                        null,
                        clock.instant(),
                        now.state().attempts(),
                        session.handshakeResult()));
    }

    SupervisorSnapshot ended(SupervisorSnapshot now, JsonRpcServerSession session, String reason) {
        if (!(now.phase() instanceof Phase.Connected(var connected, long since))
                || connected != session) {
            return now;
        }
        boolean wasStable = ticker.nanoTime() - since >= STABLE_CONNECTION_MIN.toNanos();
        int spent = wasStable ? 0 : now.state().attempts();
        boolean again = spent <= spec.get().options().limits().maxRetries();
        String message =
                "Server %s ended: %s%s"
                        .formatted(
                                spec.get().id(),
                                reason,
                                again ? "" : ". It exited too often soon after it started");
        return now.with(
                again ? attempts(spent) : idle(false, recovery(1)),
                Status.ERROR,
                ServerFailure.endedAfterConnect(message, spent),
                spent);
    }

    private Phase.Backoff attempts(int spent) {
        return new Phase.Backoff(newAttempts.apply(new ConnectAttempts.Series(spent, 0)));
    }

    private Phase.Idle idle(boolean hasFailed, Phase.@Nullable Recovery recovery) {
        return new Phase.Idle(hasFailed, ticker.nanoTime(), recovery);
    }

    private Phase.Recovery recovery(int number) {
        Duration delay = backoff.delayBeforeRecovery(number);
        return new Phase.Recovery(number, delay, clock.instant().plus(delay));
    }
}

package dev.patchbay.server;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.StartGate.Pass;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One series of attempts to connect a server, shared by all who want the link. Its supervisor may
 * drop it at any time; what it reports after that changes nothing.
 */
final class Effort {
    /** Told of the course of an effort. Each method is false if the effort was dropped. */
    interface Owner {
        boolean attempting(Effort effort, int attempt);

        boolean failed(Effort effort, Trouble trouble, boolean last);

        boolean connected(Effort effort, LiveLink link);

        /** Opens the server and listens to it, without a word. */
        LiveLink open() throws IOException;
    }

    private static final System.Logger log = System.getLogger(Effort.class.getName());
    private static final Duration PREDECESSOR_PATIENCE = Duration.ofSeconds(5);

    private final ServerSpec spec;
    private final Supervisor.Shared shared;
    private final Handshake handshake;
    private final Owner owner;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile int attempts;
    private volatile @Nullable LiveLink link;
    private volatile @Nullable Trouble trouble;
    private volatile @Nullable Trouble lastFailure;
    private volatile @Nullable Thread thread;

    Effort(ServerSpec spec, Supervisor.Shared shared, Handshake handshake, Owner owner) {
        this.spec = spec;
        this.shared = shared;
        this.handshake = handshake;
        this.owner = owner;
    }

    /**
     * Begins, with so many attempts already spent, behind the end of the link before. On a platform
     * thread, as starting a process blocks whatever thread does it.
     */
    void start(int spent, @Nullable LiveLink before) {
        attempts = spent;
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("connect " + spec.id())
                        .start(() -> run(spent, before));
    }

    /** Gives up. Without a reason, whoever waits is to look for the effort that follows. */
    void drop(@Nullable Trouble why) {
        finish(null, why);
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Waits for the link, but no longer than patience lasts; null if another effort follows. */
    @Nullable LiveLink await(Duration patience) throws ServerUnavailable, InterruptedException {
        boolean over = done.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        Trouble known = over ? trouble : notYet(patience);
        if (known != null) {
            throw new ServerUnavailable(spec.id(), known);
        }
        return link;
    }

    /** Waits until the effort has no thread any more. */
    boolean join(Duration patience) throws InterruptedException {
        Thread running = thread;
        return running == null || running.join(patience);
    }

    private Trouble notYet(Duration patience) {
        Trouble last = lastFailure;
        String cause = last == null ? "" : " " + last.message();
        return trouble(
                Reason.CONNECTION_TIMEOUT,
                "Server %s is not connected after %d ms (attempt %d of %d).%s"
                        .formatted(spec.id(), patience.toMillis(), attempts, attemptsMax(), cause));
    }

    private void run(int spent, @Nullable LiveLink before) {
        try {
            if (before != null) {
                before.awaitEnd(PREDECESSOR_PATIENCE);
            }
            if (spent > 0) {
                shared.pause().await(shared.backoff().after(spent));
            }
            int attempt = spent;
            do {
                attempt++;
            } while (attempt(attempt));
        } catch (InterruptedException _) {
            // Dropped: whoever did it has said what is true now.
        } catch (RuntimeException | Error e) {
            log.log(ERROR, "Connecting server " + spec.id() + " failed", e);
            fail(ConnectFailed.because("the gateway failed to connect it"), true);
        }
    }

    /** Tries once; whether to try again. */
    private boolean attempt(int attempt) throws InterruptedException {
        attempts = attempt;
        if (!owner.attempting(this, attempt)) {
            return false;
        }
        try {
            LiveLink connected = connect();
            if (owner.connected(this, connected)) {
                finish(connected, null);
            } else {
                connected.abort("nobody wants it any more");
            }
            return false;
        } catch (ConnectFailed e) {
            boolean last = attempt >= attemptsMax();
            if (!fail(e, last) || last) {
                return false;
            }
            if (!e.isAgainAtOnce()) {
                shared.pause().await(shared.backoff().after(attempt));
            }
            return true;
        }
    }

    private LiveLink connect() throws ConnectFailed, InterruptedException {
        try (Pass pass = shared.gate().enter()) {
            LiveLink opened = open();
            pass.holdWhile(opened::isAtWork);
            boolean agreed = false;
            try {
                handshake.agree(opened, spec.options().limits().connectionTimeout());
                agreed = true;
                return opened;
            } finally {
                if (!agreed) {
                    opened.abort("it was not connected in time");
                }
            }
        }
    }

    private LiveLink open() throws ConnectFailed {
        try {
            return owner.open();
        } catch (IOException e) {
            throw ConnectFailed.because(String.valueOf(e.getMessage()));
        }
    }

    private boolean fail(ConnectFailed failed, boolean last) {
        String message =
                last
                        ? "Server %s could not be connected in %d attempt%s. The last: %s"
                        : "Server %s: attempt %d of %d to connect failed: %s";
        Object count = last ? attempts == 1 ? "" : "s" : attemptsMax();
        Trouble now =
                trouble(
                        failed.reason(),
                        message.formatted(spec.id(), attempts, count, failed.why()));
        lastFailure = now;
        boolean wanted = owner.failed(this, now, last);
        if (last) {
            finish(null, now);
        }
        return wanted;
    }

    private Trouble trouble(Reason reason, String message) {
        return new Trouble(reason, message, "connect", attempts, Execution.NOT_SENT);
    }

    private int attemptsMax() {
        return spec.options().limits().maxRetries() + 1;
    }

    private synchronized void finish(@Nullable LiveLink connected, @Nullable Trouble why) {
        if (done.getCount() > 0) {
            link = connected;
            trouble = why;
            done.countDown();
        }
    }
}

package dev.patchbay.server;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.StartGate.Pass;
import dev.patchbay.server.StartGate.Turn;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

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

        /** When its turn is among the servers that want to start. */
        Turn turn();
    }

    private static final Duration PREDECESSOR_PATIENCE = Duration.ofSeconds(5);

    /** A start that takes longer than this hangs, and needs no processor. */
    private static final Duration PLACE_MAX = Duration.ofMillis(100);

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
                last == null ? Symptom.SILENT : last.symptom(),
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
            log().log(ERROR, "Connecting server " + spec.id() + " failed", e);
            fail(ConnectFailed.because(Symptom.OTHER, "the gateway failed to connect it"), true);
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
            boolean last = attempt >= attemptsMax() || e.isFinal();
            if (!fail(e, last) || last) {
                return false;
            }
            if (!e.isAgainAtOnce()) {
                Duration wait = shared.backoff().after(attempt);
                Duration asked = e.notBefore();
                shared.pause().await(wait.compareTo(asked) > 0 ? wait : asked);
            }
            return true;
        }
    }

    private LiveLink connect() throws ConnectFailed, InterruptedException {
        try (Pass pass = shared.gate().enter(owner::turn)) {
            LiveLink opened = open(pass);
            pass.holdWhile(opened::isAtWork);
            boolean agreed = false;
            try {
                Duration timeout = spec.options().limits().connectionTimeout();
                handshake.agree(opened, timeout, attempts >= attemptsMax());
                agreed = true;
                return opened;
            } catch (ConnectFailed e) {
                throw e.notBefore(opened.retryAfter());
            } finally {
                if (!agreed) {
                    opened.abort("it was not connected in time");
                }
            }
        }
    }

    /** Opens the server. That may hang and cannot be ended: then the effort fails all the same. */
    private LiveLink open(Pass pass) throws ConnectFailed, InterruptedException {
        var returned = new CountDownLatch(1);
        var judged = new AtomicBoolean();
        Thread.ofVirtual().start(() -> giveUpUnless(returned, judged, pass));
        try {
            LiveLink opened = owner.open();
            if (!judged.compareAndSet(false, true)) {
                opened.abort("it was started too late");
                throw new InterruptedException("Given up");
            }
            return opened;
        } catch (IOException e) {
            if (!judged.compareAndSet(false, true)) {
                throw new InterruptedException("Given up");
            }
            throw ConnectFailed.because(Symptom.NOT_STARTED, String.valueOf(e.getMessage()));
        } finally {
            returned.countDown();
        }
    }

    private void giveUpUnless(CountDownLatch returned, AtomicBoolean judged, Pass pass) {
        Duration timeout = spec.options().limits().connectionTimeout();
        try {
            if (returned.await(PLACE_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            pass.close(); // others need not wait for it
            long left = timeout.minus(PLACE_MAX).toNanos();
            if (!returned.await(left, TimeUnit.NANOSECONDS) && judged.compareAndSet(false, true)) {
                String why = "it was not started within %d ms".formatted(timeout.toMillis());
                fail(ConnectFailed.late(why), true);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean fail(ConnectFailed failed, boolean last) {
        String message =
                last
                        ? "Server %s could not be connected in %d attempt%s. The last: %s"
                        : "Server %s: attempt %d of %d to connect failed: %s";
        Object count = last ? attempts == 1 ? "" : "s" : attemptsMax();
        String text =
                failed.isFinal()
                        ? "Server %s does not let us in: %s".formatted(spec.id(), failed.why())
                        : message.formatted(spec.id(), attempts, count, failed.why());
        Trouble now = trouble(failed.reason(), failed.symptom(), text);
        lastFailure = now;
        boolean wanted = owner.failed(this, now, last);
        if (last) {
            finish(null, now);
        }
        return wanted;
    }

    private Trouble trouble(Reason reason, Symptom symptom, String message) {
        return new Trouble(reason, message, "connect", attempts, Execution.NOT_SENT, symptom);
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

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(Effort.class.getName());
    }
}

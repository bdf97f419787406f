package dev.patchbay.testkit;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What all parts of a {@link ScriptedServer} work with: options, wire, answers and a clock. */
final class ServerCore {
    private final ServerOptions options;
    private final ServerWire wire;
    private final ServerAnswers answers;
    private @Nullable ScheduledThreadPoolExecutor clock;

    ServerCore(ServerOptions options, ServerWire wire) {
        this.options = options;
        this.wire = wire;
        this.answers = new ServerAnswers(wire, options);
    }

    ServerOptions options() {
        return options;
    }

    ServerWire wire() {
        return wire;
    }

    ServerAnswers answers() {
        return answers;
    }

    /** Does the work once after this time, on the thread of the clock. */
    void later(long millis, Runnable work) {
        var _ = clock().schedule(guarded(work), millis, TimeUnit.MILLISECONDS);
    }

    /** Does the work again and again. */
    void every(long millis, Runnable work) {
        var _ = clock().scheduleAtFixedRate(guarded(work), millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Does work that takes long, on a thread of its own. */
    void aside(Runnable work) {
        Thread.ofPlatform().daemon().start(guarded(work));
    }

    private synchronized ScheduledThreadPoolExecutor clock() {
        if (clock == null) {
            // Made at need: most scripts never wait, and a start should be quick.
            clock =
                    new ScheduledThreadPoolExecutor(
                            1, work -> Thread.ofPlatform().daemon().unstarted(work));
        }
        return clock;
    }

    private Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                wire.complain(Text.bytes("scripted server: " + e + "\n"));
            }
        };
    }
}

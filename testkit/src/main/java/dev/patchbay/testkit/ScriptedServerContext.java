package dev.patchbay.testkit;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What all parts of a {@link ScriptedServer} work with: options, wire, answers and a clock. */
final class ScriptedServerContext {
    private final ScriptedServerOptions options;
    private final ScriptedStdio stdio;
    private final ScriptedResponses responses;
    private @Nullable ScheduledThreadPoolExecutor scheduler;

    ScriptedServerContext(ScriptedServerOptions options, ScriptedStdio wire) {
        this.options = options;
        this.stdio = wire;
        this.responses = new ScriptedResponses(wire, options);
    }

    ScriptedServerOptions options() {
        return options;
    }

    ScriptedStdio stdio() {
        return stdio;
    }

    ScriptedResponses responses() {
        return responses;
    }

    /** Does the work once after this time, on the thread of the clock. */
    void schedule(long millis, Runnable work) {
        var _ = scheduler().schedule(loggingErrors(work), millis, TimeUnit.MILLISECONDS);
    }

    /** Does the work again and again. */
    void scheduleRepeatedly(long millis, Runnable work) {
        var _ =
                scheduler()
                        .scheduleAtFixedRate(
                                loggingErrors(work), millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Does work that takes long, on a thread of its own. */
    void runInThread(Runnable work) {
        Thread.ofPlatform().daemon().start(loggingErrors(work));
    }

    private synchronized ScheduledThreadPoolExecutor scheduler() {
        if (scheduler == null) {
            // Made at need: most scripts never wait, and a start should be quick.
            scheduler =
                    new ScheduledThreadPoolExecutor(
                            1, work -> Thread.ofPlatform().daemon().unstarted(work));
        }
        return scheduler;
    }

    private Runnable loggingErrors(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                stdio.writeStderr(Utf8Text.encode("scripted server: " + e + "\n"));
            }
        };
    }
}

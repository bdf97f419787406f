package dev.patchbay.repl.kernel;

import dev.patchbay.repl.kernel.StopSignal.StoppedError;

import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.SPIResolutionException;

import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * Runs what JShell compiled, each snippet on a fresh thread of its own, and measures it. All that
 * may enter the user's code happens on that thread, the string form of a value and the message of
 * an exception included: the thread can be stopped, and JShell's own cannot.
 */
final class SnippetRunner implements ExecutionControl {
    private static final int FRAMES_MAX = 256;
    private static final int CAUSES_MAX = 16;
    private static final int MESSAGE_CHARS_MAX = 4_000;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What a snippet does, on its own thread. */
    interface Work {
        @Nullable Object run() throws Exception;
    }

    private final SnippetClassLoader loader;
    private int valueCharsMax = 10_000;
    private int runs = 1;
    private RunStatistics statistics = RunStatistics.NONE;

    SnippetRunner(SnippetClassLoader loader) {
        this.loader = loader;
    }

    SnippetClassLoader loader() {
        return loader;
    }

    /** How long the string form of a value may be. */
    void setValueCharsMax(int charsMax) {
        valueCharsMax = charsMax;
    }

    /** How often the next snippets run; the figures are then of all runs. */
    void setRuns(int times) {
        runs = times;
    }

    /** The figures of what ran since the last call. */
    RunStatistics takeStatistics() {
        RunStatistics taken = statistics;
        statistics = RunStatistics.NONE;
        return taken;
    }

    @Override
    public void load(ClassBytecodes[] classes) throws ClassInstallException {
        loader.install(classes);
    }

    @Override
    public void redefine(ClassBytecodes[] classes) throws NotImplementedException {
        throw new NotImplementedException("JShell then makes new classes, which is what we want");
    }

    @Override
    public String invoke(String className, String methodName)
            throws RunException, InternalException {
        return run(
                () -> {
                    var method = loader.loadClass(className).getDeclaredMethod(methodName);
                    method.setAccessible(true);
                    return runMeasured(() -> method.invoke(null));
                });
    }

    /** Runs something that enters the user's code, on a thread that can be stopped. */
    void execute(Work work) throws RunException, InternalException {
        String _ = run(work);
    }

    @Override
    public String varValue(String className, String varName)
            throws RunException, InternalException {
        return run(
                () -> {
                    var field = loader.loadClass(className).getDeclaredField(varName);
                    field.setAccessible(true);
                    return field.get(null);
                });
    }

    @Override
    public void addToClasspath(String path) {
        loader.add(path);
    }

    @Override
    public void stop() {
        StopSignal.request();
    }

    @Override
    public Object extensionCommand(String command, Object arg) throws NotImplementedException {
        throw new NotImplementedException(command);
    }

    @Override
    public void close() {}

    private @Nullable Object runMeasured(Work work) throws Exception {
        Object value = null;
        var measured = new RunStatistics.Builder(runs);
        try {
            for (int i = 0; i < runs; i++) {
                // In this order, so that the figures do not hold the cost of taking them.
                long bytes = THREADS.getCurrentThreadAllocatedBytes();
                long start = System.nanoTime();
                try {
                    value = work.run();
                } finally {
                    long nanos = System.nanoTime() - start;
                    measured.add(nanos, THREADS.getCurrentThreadAllocatedBytes() - bytes);
                }
            }
        } finally {
            statistics = measured.build();
        }
        return value;
    }

    private String run(Work work) throws RunException, InternalException {
        var task = new Task(work);
        var thread = new Thread(task, "snippet");
        thread.setContextClassLoader(loader);
        if (StopSignal.setTarget(thread)) {
            thread.start();
            task.awaitEnd();
        }
        if (StopSignal.isRequested()) {
            throw new StoppedException();
        }
        StopSignal.setTarget(null);
        if (task.failure != null) {
            throw task.failure;
        }
        if (task.fault != null) {
            throw new InternalException(task.fault.toString());
        }
        return task.value;
    }

    /** One run on a thread of its own. */
    private final class Task implements Runnable {
        private final Work work;
        private final CountDownLatch ended = new CountDownLatch(1);
        private String value = "";
        private @Nullable RunException failure;
        private @Nullable Throwable fault;

        Task(Work work) {
            this.work = work;
        }

        @Override
        public void run() {
            try {
                value = ValueFormatter.format(work.run(), valueCharsMax);
            } catch (InvocationTargetException e) {
                fail(e.getTargetException());
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                fault = e;
            } catch (Throwable e) {
                // From the user's code, by way of the string form of a value.
                fail(e);
            } finally {
                ended.countDown();
            }
        }

        /** Waits for the end of the snippet. Its deadline is the server's affair. */
        void awaitEnd() {
            while (ended.getCount() > 0) {
                try {
                    ended.await();
                } catch (InterruptedException e) {
                    // The user's code found this thread and interrupted it: no reason to go on.
                }
            }
        }

        private void fail(Throwable thrown) {
            try {
                failure =
                        toRunException(thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
            } catch (Throwable e) {
                failure =
                        new UserException("", thrown.getClass().getName(), thrown.getStackTrace());
            }
        }
    }

    private static RunException toRunException(Throwable thrown, Set<Throwable> seen) {
        if (thrown instanceof SPIResolutionException unresolved) {
            return new ResolutionException(unresolved.id(), unresolved.getStackTrace());
        }
        seen.add(thrown);
        Class<?> type = thrown.getClass();
        // A class without a name is known by the one that it extends.
        String name = (type.isAnonymousClass() ? type.getSuperclass() : type).getName();
        var failure = new UserException(message(thrown), name, trace(thrown));
        Throwable cause = thrown.getCause();
        if (cause != null && seen.size() < CAUSES_MAX && !seen.contains(cause)) {
            failure.initCause(toRunException(cause, seen));
        }
        return failure;
    }

    /** The message of an exception of the user's, whose own code may fail to make it. */
    private static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null ? "" : ValueFormatter.truncate(message, MESSAGE_CHARS_MAX);
        } catch (StoppedError e) {
            throw e;
        } catch (Throwable e) {
            return "(its message failed: " + e.getClass().getName() + ")";
        }
    }

    /** The ends of a trace: where it happened, and the snippet that led there. */
    private static StackTraceElement[] trace(Throwable thrown) {
        StackTraceElement[] all = thrown.getStackTrace();
        if (all.length <= FRAMES_MAX) {
            return all;
        }
        var kept = new StackTraceElement[FRAMES_MAX];
        int half = FRAMES_MAX / 2;
        System.arraycopy(all, 0, kept, 0, half);
        System.arraycopy(all, all.length - half, kept, half, half);
        return kept;
    }
}

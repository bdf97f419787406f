package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.code.TypeNames;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What JUnit tells while it runs tests. Tests may run on many threads. */
final class TestResults {
    private static final int RESULTS_MAX = 5_000;
    private static final int MESSAGE_CHARS_MAX = 4_000;
    private static final int FRAMES_MAX = 15;

    /** A test that ended. */
    private record Result(
            String name, String status, long millis, String message, List<String> trace) {}

    private final List<Result> results = new ArrayList<>();
    private final Map<String, Long> started = new HashMap<>();
    private int dropped;

    /** A listener of JUnit's type that adds to this. */
    Object listener(Class<?> type) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "equals" -> isSame(proxy, arguments[0]);
                            case "toString" -> "Patchbay";
                            case "executionStarted" -> start(arguments[0]);
                            case "executionSkipped" ->
                                    skip(arguments[0], String.valueOf(arguments[1]));
                            case "executionFinished" -> finish(arguments[0], arguments[1]);
                            default -> null;
                        });
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Object proxy, @Nullable Object other) {
        return proxy == other;
    }

    private synchronized @Nullable Object start(Object test) throws ReflectiveOperationException {
        started.put(text(test, "getUniqueId"), System.nanoTime());
        return null;
    }

    private synchronized @Nullable Object skip(Object test, String reason)
            throws ReflectiveOperationException {
        add(new Result(name(test), "skipped", 0, reason, List.of()));
        return null;
    }

    private synchronized @Nullable Object finish(Object test, Object outcome)
            throws ReflectiveOperationException {
        String status = status(text(outcome, "getStatus"));
        boolean isTest = (Boolean) call(test, "isTest");
        if (!isTest && status.equals("passed")) {
            return null;
        }
        Long start = started.remove(text(test, "getUniqueId"));
        long millis = start == null ? 0 : (System.nanoTime() - start) / 1_000_000;
        Throwable thrown = (Throwable) ((Optional<?>) call(outcome, "getThrowable")).orElse(null);
        add(new Result(name(test), status, millis, message(thrown), trace(thrown)));
        return null;
    }

    private void add(Result result) {
        if (results.size() < RESULTS_MAX) {
            results.add(result);
        } else {
            dropped++;
        }
    }

    private static String status(String junit) {
        return junit.equals("SUCCESSFUL") ? "passed" : junit.toLowerCase(Locale.ROOT);
    }

    /** The class and the display name, which has the arguments of a parameterized test. */
    private static String name(Object test) throws ReflectiveOperationException {
        String display = text(test, "getDisplayName");
        Object source = ((Optional<?>) call(test, "getSource")).orElse(null);
        if (source == null || !source.getClass().getSimpleName().equals("MethodSource")) {
            return display;
        }
        String owner = TypeNames.ofBinaryName(text(source, "getClassName"));
        String method = text(source, "getMethodName");
        return display.startsWith(method)
                ? owner + "." + method
                : owner + "." + method + " " + display;
    }

    private static String message(@Nullable Throwable thrown) {
        return thrown == null
                ? ""
                : ValueFormatter.truncate(
                        TypeNames.ofBinaryName(thrown.getClass().getName())
                                + ": "
                                + thrown.getMessage(),
                        MESSAGE_CHARS_MAX);
    }

    /** The frames down to those of JUnit and of reflection. */
    private static List<String> trace(@Nullable Throwable thrown) {
        var frames = new ArrayList<String>();
        for (StackTraceElement frame :
                thrown == null ? new StackTraceElement[0] : thrown.getStackTrace()) {
            String name = frame.getClassName();
            if (frames.size() == FRAMES_MAX
                    || name.startsWith("org.junit.platform.")
                    || name.startsWith("jdk.internal.reflect.")) {
                break;
            }
            if (!name.startsWith("org.junit.")) {
                frames.add(
                        TypeNames.ofBinaryName(name)
                                + "."
                                + frame.getMethodName()
                                + (frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : ""));
            }
        }
        return frames;
    }

    private static Object call(Object target, String method) throws ReflectiveOperationException {
        return target.getClass().getMethod(method).invoke(target);
    }

    private static String text(Object target, String method) throws ReflectiveOperationException {
        return String.valueOf(call(target, method));
    }

    synchronized void write(JsonWriter target) {
        for (String status : List.of("passed", "failed", "skipped", "aborted")) {
            target.member(
                    status, results.stream().filter(it -> it.status().equals(status)).count());
        }
        target.member("omitted", dropped).name("tests").beginArray();
        for (Result result : results) {
            target.beginObject().member("name", result.name()).member("status", result.status());
            target.member("millis", result.millis());
            if (!result.message().isEmpty()) {
                target.member("message", result.message());
            }
            if (!result.trace().isEmpty()) {
                CodeQueries.writeStrings("trace", result.trace(), target);
            }
            target.endObject();
        }
        target.endArray();
    }
}

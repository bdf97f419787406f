package dev.patchbay.repl.kernel;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.code.ClassFileCatalog;
import dev.patchbay.repl.kernel.code.ReferenceTarget;
import dev.patchbay.repl.kernel.profile.EvaluationProfiler;
import dev.patchbay.repl.kernel.profile.EvaluationProfiler.Weight;
import dev.patchbay.repl.kernel.profile.JvmState;
import dev.patchbay.repl.kernel.profile.MethodTimer;
import dev.patchbay.repl.kernel.profile.ThreadState;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Answers questions about running code: profiles, times of methods, memory and threads. */
final class RuntimeQueries {
    private static final int METHODS_MAX = 100;

    private final CodeTargets targets;
    private @Nullable MethodTimer timer;

    RuntimeQueries(CodeTargets targets) {
        this.targets = targets;
    }

    /** Runs an evaluation under the profiler, and adds the profile to its answer. */
    static JsonWriter profile(String by, Supplier<JsonWriter> evaluation) {
        try (var profiler = EvaluationProfiler.start(Weight.valueOf(by.toUpperCase(Locale.ROOT)))) {
            JsonWriter answer = evaluation.get();
            // Whoever stops an evaluation does not wait for its profile.
            if (!StopSignal.isRequested()) {
                profiler.writeResult(answer.name("profile"));
            }
            return answer;
        } catch (IOException e) {
            throw new RefusedException("The profile cannot be written: " + e.getMessage());
        }
    }

    /** Starts, ends or discards the timing of methods. */
    JsonWriter timing(Json request) {
        return switch (String.valueOf(request.memberText("action"))) {
            case "start" -> startTiming(request);
            case "stop" -> stopTiming();
            default -> throw new RefusedException("action must be start or stop");
        };
    }

    private JsonWriter startTiming(Json request) {
        var filters = new ArrayList<String>();
        ClassFileCatalog catalog = targets.catalog();
        Json names = request.member("methods");
        for (Json name : names == null ? List.<Json>of() : names.elements()) {
            filters.add(filter(targets.target(name.text(), catalog)));
        }
        if (filters.isEmpty() || filters.size() > METHODS_MAX) {
            throw new RefusedException("Name 1 to " + METHODS_MAX + " methods or classes");
        }
        MethodTimer running = timer;
        if (running != null) {
            running.close();
        }
        timer = MethodTimer.start(filters);
        JsonWriter answer = begin().member("running", true);
        CodeQueries.writeStrings("timed", filters, answer);
        return answer.name("methods").beginArray().endArray().endObject();
    }

    /** As JFR wants it: a class, or a method behind two colons. */
    private static String filter(ReferenceTarget target) {
        String owner = target.owner().replace('/', '.');
        return target.member() == null ? owner : owner + "::" + target.member();
    }

    private JsonWriter stopTiming() {
        MethodTimer running = timer;
        if (running == null) {
            throw new RefusedException("No methods are being timed. Use action start first.");
        }
        timer = null;
        try (running) {
            JsonWriter answer = begin().member("running", false);
            CodeQueries.writeStrings("timed", running.filters(), answer);
            running.writeResult(answer.name("methods"));
            return answer.endObject();
        } catch (IOException e) {
            throw new RefusedException("The times cannot be read: " + e.getMessage());
        }
    }

    static JsonWriter memory(Json request) {
        JsonWriter answer = KernelChannel.beginMessage("done").name("result").beginObject();
        answer.name("memory");
        JvmState.writeHeap(isTrue(request, "collect"), answer);
        Json limit = request.member("histogram");
        long count = limit == null ? 0 : limit.asLong(0);
        if (count > 0) {
            answer.name("histogram");
            JvmState.writeHistogram((int) count, answer);
        }
        return answer.endObject();
    }

    static JsonWriter threads(Json request) {
        Json frames = request.member("frames");
        JsonWriter answer = KernelChannel.beginMessage("done").name("result");
        ThreadState.write(
                isTrue(request, "all"), frames == null ? 10 : (int) frames.asLong(10), answer);
        return answer;
    }

    private static JsonWriter begin() {
        return KernelChannel.beginMessage("done").name("result").beginObject();
    }

    private static boolean isTrue(Json request, String name) {
        Json value = request.member(name);
        return value != null && value.isTrue();
    }
}

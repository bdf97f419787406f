package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.repl.ReplTool.Effect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The tools that look into the session's JVM: memory and threads. */
final class RuntimeTools {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int HISTOGRAM_MAX = 500;
    private static final int FRAMES_MAX = 200;

    private static final Json MEMORY_SCHEMA =
            Json.of(
                    """
                    {"type":"object","properties":{
                    "memory":{"type":"object","properties":{
                     "heap":{"type":"object"},"nonHeap":{"type":"object"},
                     "pools":{"type":"array","items":{"type":"object"}},
                     "collectors":{"type":"array","items":{"type":"object","properties":{
                      "name":{"type":"string"},"collections":{"type":"integer"},
                      "millis":{"type":"integer"}}}},
                     "loadedClasses":{"type":"integer"},"uptimeMillis":{"type":"integer"}},
                     "required":["heap","collectors"]},
                    "histogram":{"type":"object","properties":{
                     "classes":{"type":"integer"},"instances":{"type":"integer"},
                     "bytes":{"type":"integer"},"omitted":{"type":"integer"},
                     "histogram":{"type":"array","items":{"type":"object","properties":{
                      "class":{"type":"string"},"instances":{"type":"integer"},
                      "bytes":{"type":"integer"}},
                      "required":["class","instances","bytes"]}}},
                     "required":["histogram","omitted"]}},"required":["memory"]}
                    """);

    private static final Json THREADS_SCHEMA =
            Json.of(
                    """
                    {"type":"object","properties":{"platformThreads":{"type":"integer"},
                    "virtualThreads":{"type":"integer"},"deadlocked":{"type":"integer"},
                    "omitted":{"type":"integer"},
                    "threads":{"type":"array","items":{"type":"object","properties":{
                     "id":{"type":"integer"},"name":{"type":"string"},
                     "state":{"type":"string"},"virtual":{"type":"boolean"},
                     "daemon":{"type":"boolean"},"cpuMillis":{"type":"integer"},
                     "allocatedBytes":{"type":"integer"},"waitsFor":{"type":"string"},
                     "heldBy":{"type":"string"},"deadlocked":{"type":"boolean"},
                     "frames":{"type":"array","items":{"type":"string"}}},
                     "required":["id","name","state","virtual","frames"]}}},
                    "required":["platformThreads","virtualThreads","threads","omitted"]}
                    """);

    private final ReplSession session;

    RuntimeTools(ReplSession session) {
        this.session = session;
    }

    List<ReplTool> all() {
        return List.of(memory(), threads());
    }

    private ReplTool memory() {
        return new ReplTool(
                "memory",
                "Show memory",
                """
                Shows the heap of the session's JVM, its garbage collections, and with histogram \
                the classes whose live objects take most memory. profile by allocation tells \
                which code allocates.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.integer(
                                "histogram",
                                0,
                                HISTOGRAM_MAX,
                                "How many classes to list. Default 0. Collects garbage first."),
                        ToolParameter.flag(
                                "collect", "Collect garbage before measuring. Default false.")),
                MEMORY_SCHEMA,
                (arguments, progress) -> {
                    Json result =
                            session.query(
                                    "memory",
                                    it ->
                                            it.member("collect", arguments.bool("collect", false))
                                                    .member(
                                                            "histogram",
                                                            arguments.number("histogram", 0)),
                                    TIMEOUT);
                    return describeMemory(result);
                });
    }

    private static ReplToolResult describeMemory(Json result) {
        var lines = new ArrayList<String>();
        Json memory = member(result, "memory");
        Json heap = member(memory, "heap");
        lines.add(
                "Heap: %,d KB used of %,d KB"
                        .formatted(
                                JsonFields.number(heap, "usedBytes") / 1_024,
                                JsonFields.number(heap, "maxBytes") / 1_024));
        for (Json pool : JsonFields.elements(memory, "pools")) {
            lines.add(
                    "  %-28s %,d KB"
                            .formatted(
                                    JsonFields.text(pool, "name"),
                                    JsonFields.number(member(pool, "usage"), "usedBytes") / 1_024));
        }
        for (Json gc : JsonFields.elements(memory, "collectors")) {
            lines.add(
                    "Collector %s: %,d collections, %,d ms"
                            .formatted(
                                    JsonFields.text(gc, "name"),
                                    JsonFields.number(gc, "collections"),
                                    JsonFields.number(gc, "millis")));
        }
        addHistogram(member(result, "histogram"), lines);
        return ReplToolResult.of(String.join("\n", lines), result);
    }

    private static void addHistogram(Json histogram, List<String> lines) {
        List<Json> classes = JsonFields.elements(histogram, "histogram");
        if (!classes.isEmpty()) {
            lines.add("    instances         bytes  class");
        }
        for (Json one : classes) {
            lines.add(
                    "%,13d %,13d  %s"
                            .formatted(
                                    JsonFields.number(one, "instances"),
                                    JsonFields.number(one, "bytes"),
                                    JsonFields.text(one, "class")));
        }
        long omitted = JsonFields.number(histogram, "omitted");
        if (omitted > 0) {
            lines.add("… and %,d more classes".formatted(omitted));
        }
    }

    private static Json member(Json object, String name) {
        Json member = object.member(name);
        return member == null ? Json.EMPTY_OBJECT : member;
    }

    private ReplTool threads() {
        return new ReplTool(
                "threads",
                "Show threads",
                """
                Shows the threads of the session's code, platform and virtual: state, what they \
                wait for and who holds it, CPU time, the top of their stacks; and deadlocks.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.integer(
                                "frames", 0, FRAMES_MAX, "Frames of each thread. Default 10."),
                        ToolParameter.flag(
                                "all", "With the threads of the JVM itself. Default false.")),
                THREADS_SCHEMA,
                (arguments, progress) -> {
                    Json result =
                            session.query(
                                    "threads",
                                    it ->
                                            it.member("all", arguments.bool("all", false))
                                                    .member(
                                                            "frames",
                                                            arguments.number("frames", 10)),
                                    TIMEOUT);
                    return describeThreads(result);
                });
    }

    private static ReplToolResult describeThreads(Json result) {
        var lines = new ArrayList<String>();
        List<Json> threads = JsonFields.elements(result, "threads");
        lines.add(
                "%d threads of the session's code; the JVM has %d platform threads"
                        .formatted(threads.size(), JsonFields.number(result, "platformThreads")));
        for (Json thread : threads) {
            String waits = JsonFields.text(thread, "waitsFor");
            String holder = JsonFields.text(thread, "heldBy");
            lines.add(
                    "%s\"%s\" %s%s%s%s"
                            .formatted(
                                    JsonFields.isTrue(thread, "deadlocked") ? "[DEADLOCK] " : "",
                                    JsonFields.text(thread, "name"),
                                    JsonFields.isTrue(thread, "virtual") ? "virtual " : "",
                                    JsonFields.text(thread, "state"),
                                    waits.isEmpty() ? "" : " waits for " + waits,
                                    holder.isEmpty() ? "" : " held by \"" + holder + "\""));
            JsonFields.texts(thread, "frames").forEach(frame -> lines.add("    at " + frame));
        }
        return ReplToolResult.of(String.join("\n", lines), result);
    }
}

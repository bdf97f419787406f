package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tools that tell where time and memory go. */
final class ProfileTools {
    private static final int METHODS_SHOWN = 15;
    private static final int ROWS_SHOWN = 40;
    private static final int ROWS_KEPT = 300;
    private static final int NAMES_CHARS_MAX = 20_000;
    private static final Duration TIMING_TIMEOUT = Duration.ofSeconds(60);

    private static final Json PROFILE_SCHEMA =
            Json.of(
                    """
                    {"type":"object","properties":{
                    "by":{"type":"string"},
                    "unit":{"type":"string","enum":["samples","ms","bytes"]},
                    "total":{"type":"integer"},"wallMillis":{"type":"integer"},
                    "collections":{"type":"integer"},"collectionMillis":{"type":"integer"},
                    "methods":{"type":"array","items":{"type":"object","properties":{
                     "method":{"type":"string"},
                     "self":{"type":"integer","description":"in the method itself"},
                     "total":{"type":"integer","description":"with all that it called"}},
                     "required":["method","self","total"]}},
                    "tree":{"type":"array","description":"callees follow their caller",
                     "items":{"type":"object","properties":{"depth":{"type":"integer"},
                     "method":{"type":"string"},"self":{"type":"integer"},
                     "total":{"type":"integer"}},
                     "required":["depth","method","self","total"]}},
                    "classes":{"type":"array","items":{"type":"object","properties":{
                     "class":{"type":"string"},"bytes":{"type":"integer"}},
                     "required":["class","bytes"]}},
                    "flameGraph":{"type":"string","description":"the URI of an SVG resource"},
                    "evaluation":{"type":"object",
                     "description":"what the code gave, as evaluate tells it"}},
                    "required":["by","evaluation"]}
                    """);

    private final ReplSession session;
    private final ResourceStore resources;

    ProfileTools(ReplSession session, ResourceStore resources) {
        this.session = session;
        this.resources = resources;
    }

    List<ReplTool> all() {
        return List.of(profile(), timeMethods());
    }

    private ReplTool profile() {
        return new ReplTool(
                "profile",
                "Profile Java",
                """
                Evaluates Java code and tells where time or memory goes: by cpu (samples of \
                running threads), by wall (running and waiting), or by allocation (bytes by site \
                and class). Gives the methods, the call tree and a flame graph. Let the code run \
                for a second or more: a sample is taken every 10 ms.\
                """,
                Effect.RUNS_CODE,
                List.of(
                        RunTools.CODE,
                        ToolParameter.choice(
                                "by", List.of("cpu", "wall", "allocation"), "Default cpu."),
                        ToolParameter.integer(
                                "runs", 1, ReplSession.RUNS_MAX, "How often to run it. Default 1."),
                        RunTools.TIMEOUT),
                PROFILE_SCHEMA,
                this::profile);
    }

    private ReplToolResult profile(ToolArguments arguments, ProgressListener progress)
            throws ReplException, InterruptedException {
        String by = arguments.has("by") ? arguments.text("by") : "cpu";
        var asked =
                new EvaluationRequest(
                        arguments.text("code"), (int) arguments.number("runs", 1), by);
        EvaluationLimits limits = RunTools.limits(session, arguments);
        CapturedOutput background = session.takeBackgroundOutput();
        EvaluationResult evaluation = session.evaluate(asked, limits, progress);
        ReplToolResult plain =
                new EvaluationFormatter(evaluation, background, resources).answer(false);
        JsonWriter structured = new JsonWriter().beginObject().member("by", by);
        structured.member("evaluation", structured(plain));
        Json profile = evaluation.profile();
        if (profile == null) {
            String text = plain.text() + "\n[profile] None: the evaluation did not end by itself.";
            return new ReplToolResult(text, structured.endObject().toJson(), true)
                    .withNotice(evaluation.notice());
        }
        ResourceStore.StoredResource graph = flameGraph(by, profile);
        write(profile, structured);
        structured.member("flameGraph", graph.uri());
        String text = describe(by, profile, graph.uri()) + "\n" + plain.text();
        return new ReplToolResult(text, structured.endObject().toJson(), plain.isError())
                .withLink(graph)
                .withNotice(evaluation.notice());
    }

    private static Json structured(ReplToolResult plain) {
        Json structured = plain.structured();
        return structured == null ? Json.EMPTY_OBJECT : structured;
    }

    private ResourceStore.StoredResource flameGraph(String by, Json profile) {
        long total = JsonFields.number(profile, "total");
        String title = "%s: %,d %s".formatted(by, total, JsonFields.text(profile, "unit"));
        String svg = FlameGraph.svg(JsonFields.elements(profile, "tree"), total, title);
        return resources.add("flame-graph.svg", "image/svg+xml", svg);
    }

    private static void write(Json profile, JsonWriter target) {
        for (Json.Member member : profile.members()) {
            if (member.name().equals("tree")) {
                target.name("tree").beginArray();
                member.value().elements().stream().limit(ROWS_KEPT).forEach(target::value);
                target.endArray();
            } else {
                target.member(member.name(), member.value());
            }
        }
    }

    private static String describe(String by, Json profile, String uri) {
        long total = JsonFields.number(profile, "total");
        String unit = JsonFields.text(profile, "unit");
        var lines = new ArrayList<String>();
        lines.add(
                "[profile] by %s: %,d %s; %,d ms in all; %d collections took %d ms"
                        .formatted(
                                by,
                                total,
                                unit,
                                JsonFields.number(profile, "wallMillis"),
                                JsonFields.number(profile, "collections"),
                                JsonFields.number(profile, "collectionMillis")));
        if (total == 0) {
            lines.add("Nothing was sampled: let the code run longer, for example with runs.");
            return String.join("\n", lines);
        }
        lines.add("   self   total  method");
        for (Json method :
                JsonFields.elements(profile, "methods").stream().limit(METHODS_SHOWN).toList()) {
            lines.add(
                    share(method, "self", total)
                            + share(method, "total", total)
                            + "  "
                            + JsonFields.text(method, "method"));
        }
        addClasses(profile, total, lines);
        lines.add("Call tree:");
        for (Json row : JsonFields.elements(profile, "tree").stream().limit(ROWS_SHOWN).toList()) {
            int depth = (int) Math.min(40, JsonFields.number(row, "depth"));
            lines.add(
                    share(row, "total", total)
                            + "  "
                            + " ".repeat(depth)
                            + JsonFields.text(row, "method"));
        }
        lines.add("Flame graph: " + uri);
        return String.join("\n", lines);
    }

    private static void addClasses(Json profile, long total, List<String> lines) {
        List<Json> classes = JsonFields.elements(profile, "classes");
        if (!classes.isEmpty()) {
            lines.add("Classes by allocated bytes:");
        }
        for (Json one : classes.stream().limit(METHODS_SHOWN).toList()) {
            lines.add(share(one, "bytes", total) + "  " + JsonFields.text(one, "class"));
        }
    }

    private static String share(Json row, String member, long total) {
        double percent = 100.0 * JsonFields.number(row, member) / total;
        return String.format(Locale.ROOT, "%6.1f%%", percent);
    }

    private ReplTool timeMethods() {
        return new ReplTool(
                "time_methods",
                "Time named methods",
                """
                Counts and times the calls of named methods between action start and action stop, \
                in whatever runs meanwhile: calls, total, average, least and greatest time. \
                Methods are named as in find_uses; a class means all its methods. Methods \
                redefined meanwhile are not timed.\
                """,
                Effect.CHANGES_SESSION,
                List.of(
                        ToolParameter.choice("action", List.of("start", "stop"), "What to do."),
                        ToolParameter.texts(
                                "methods", NAMES_CHARS_MAX, "With start: what to time.")),
                Json.of(
                        """
                        {"type":"object","properties":{"running":{"type":"boolean"},
                        "timed":{"type":"array","items":{"type":"string"}},
                        "methods":{"type":"array","items":{"type":"object","properties":{
                         "method":{"type":"string"},"calls":{"type":"integer"},
                         "totalNanos":{"type":"integer"},"averageNanos":{"type":"integer"},
                         "minNanos":{"type":"integer"},"maxNanos":{"type":"integer"}},
                         "required":["method","calls","totalNanos"]}}},
                        "required":["running","timed","methods"]}
                        """),
                (arguments, progress) -> {
                    Json result =
                            session.query(
                                    "timing", it -> writeTiming(arguments, it), TIMING_TIMEOUT);
                    return describeTiming(result);
                });
    }

    private static void writeTiming(ToolArguments arguments, JsonWriter request) {
        request.member("action", arguments.text("action"));
        InspectTools.writeStrings("methods", arguments.texts("methods"), request);
    }

    private static ReplToolResult describeTiming(Json result) {
        String timed = String.join(", ", JsonFields.texts(result, "timed"));
        if (JsonFields.isTrue(result, "running")) {
            return ReplToolResult.of("Timing " + timed + ". Use action stop to see it.", result);
        }
        var lines = new ArrayList<String>();
        List<Json> methods = JsonFields.elements(result, "methods");
        lines.add(
                methods.isEmpty()
                        ? "None of these was called: " + timed
                        : "     calls    total ms  average µs      min µs      max µs  method");
        for (Json one : methods) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%10d%12.3f%12.3f%12.3f%12.3f  %s",
                            JsonFields.number(one, "calls"),
                            JsonFields.number(one, "totalNanos") / 1e6,
                            JsonFields.number(one, "averageNanos") / 1e3,
                            JsonFields.number(one, "minNanos") / 1e3,
                            JsonFields.number(one, "maxNanos") / 1e3,
                            JsonFields.text(one, "method")));
        }
        return ReplToolResult.of(String.join("\n", lines), result);
    }
}

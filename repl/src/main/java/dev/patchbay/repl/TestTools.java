package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tool that runs tests with JUnit. */
final class TestTools {
    private static final int NAMES_CHARS_MAX = 20_000;
    private static final String LAUNCHER_CLASS = "org.junit.platform.launcher.core.LauncherFactory";
    private static final Pattern API_JAR = Pattern.compile("junit-jupiter-api-(\\d+)\\.(.+)\\.jar");

    private static final Json SCHEMA =
            Json.of(
                    """
                    {"type":"object","properties":{
                    "classes":{"type":"array","items":{"type":"string"}},
                    "passed":{"type":"integer"},"failed":{"type":"integer"},
                    "skipped":{"type":"integer"},"aborted":{"type":"integer"},
                    "omitted":{"type":"integer"},"stdout":{"type":"string"},
                    "stderr":{"type":"string"},
                    "tests":{"type":"array","items":{"type":"object","properties":{
                     "name":{"type":"string"},
                     "status":{"type":"string","enum":["passed","failed","skipped","aborted"]},
                     "millis":{"type":"integer"},"message":{"type":"string"},
                     "trace":{"type":"array","items":{"type":"string"}}},
                     "required":["name","status","millis"]}}},
                    "required":["classes","passed","failed","skipped","tests"]}
                    """);

    private final ReplSession session;
    private final MavenResolver maven;

    TestTools(ReplSession session, MavenResolver maven) {
        this.session = session;
        this.maven = maven;
    }

    List<ReplTool> all() {
        return List.of(
                new ReplTool(
                        "run_tests",
                        "Run tests",
                        """
                        Runs JUnit tests: of classes that the session has defined, or of named \
                        classes of the class path. If JUnit is not on the class path, it is added \
                        first with Maven; then define test classes with import \
                        org.junit.jupiter.api.*, and call this again.\
                        """,
                        Effect.RUNS_CODE,
                        List.of(
                                ToolParameter.texts(
                                        "classes",
                                        NAMES_CHARS_MAX,
                                        "The test classes. Default: all of the session."),
                                RunTools.TIMEOUT),
                        SCHEMA,
                        (arguments, progress) -> run(arguments)));
    }

    private ReplToolResult run(ToolArguments arguments) throws ReplException, InterruptedException {
        String added = addJunit();
        ReplSession.QueryOutput answer =
                session.queryWithOutput(
                        "tests",
                        it -> InspectTools.writeStrings("classes", arguments.texts("classes"), it),
                        RunTools.limits(session, arguments));
        JsonWriter structured = new JsonWriter().beginObject();
        answer.result().members().forEach(it -> structured.member(it.name(), it.value()));
        String out = answer.output().text(OutputListener.StandardStream.OUT);
        String err = answer.output().text(OutputListener.StandardStream.ERR);
        structured.member("stdout", out).member("stderr", err);
        var lines = new ArrayList<String>();
        if (!added.isEmpty()) {
            lines.add(added);
        }
        out.lines().forEach(lines::add);
        err.lines().forEach(line -> lines.add("[stderr] " + line));
        describe(answer.result(), lines);
        boolean hasFailed = JsonFields.number(answer.result(), "failed") > 0;
        return new ReplToolResult(
                        String.join("\n", lines), structured.endObject().toJson(), hasFailed)
                .withNotice(session.takeNotice());
    }

    private static void describe(Json result, List<String> lines) {
        if (JsonFields.texts(result, "classes").isEmpty()) {
            lines.add("The session defines no test class, and none was named.");
            return;
        }
        for (Json test : JsonFields.elements(result, "tests")) {
            String status = JsonFields.text(test, "status");
            String message = JsonFields.text(test, "message");
            lines.add(
                    "%-7s %s (%d ms)%s"
                            .formatted(
                                    status,
                                    JsonFields.text(test, "name"),
                                    JsonFields.number(test, "millis"),
                                    message.isEmpty() ? "" : "\n    " + message));
            JsonFields.texts(test, "trace").forEach(frame -> lines.add("    at " + frame));
        }
        lines.add(
                "%d passed, %d failed, %d skipped, %d aborted"
                        .formatted(
                                JsonFields.number(result, "passed"),
                                JsonFields.number(result, "failed"),
                                JsonFields.number(result, "skipped"),
                                JsonFields.number(result, "aborted")));
    }

    /** Adds what is missing of JUnit, in the version of what is there; what was added, in words. */
    private String addJunit() throws ReplException, InterruptedException {
        Json launcher = session.search(LAUNCHER_CLASS, 1);
        if (JsonFields.number(launcher, "count") > 0) {
            return "";
        }
        List<Path> jars = maven.resolveAll(coordinates(session.classpath()));
        List<String> present = session.classpath();
        List<Path> missing =
                jars.stream()
                        .filter(it -> !present.contains(it.toAbsolutePath().toString()))
                        .toList();
        session.addToClasspath(missing);
        return "Added JUnit to the class path: " + missing.size() + " jars.";
    }

    /** JUnit 5 numbers its launcher in a series of its own. */
    static List<String> coordinates(List<String> classpath) {
        for (String entry : classpath) {
            Matcher jar = API_JAR.matcher(String.valueOf(Path.of(entry).getFileName()));
            if (jar.matches()) {
                String version = jar.group(1) + "." + jar.group(2);
                String platform = jar.group(1).equals("5") ? "1." + jar.group(2) : version;
                return List.of(
                        "org.junit.jupiter:junit-jupiter:" + version,
                        "org.junit.platform:junit-platform-launcher:" + platform);
            }
        }
        return List.of(
                "org.junit.jupiter:junit-jupiter", "org.junit.platform:junit-platform-launcher");
    }
}

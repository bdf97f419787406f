package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;

import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The tools that set the session up: its class path, its limits, its end, and how to use it. */
final class SessionTools {
    private static final int ENTRY_CHARS_MAX = 20_000;

    private final ReplSession session;
    private final MavenResolver maven;

    SessionTools(ReplSession session, MavenResolver maven) {
        this.session = session;
        this.maven = maven;
    }

    List<ReplTool> all() {
        return List.of(addToClasspath(), reset(), limits(), guide());
    }

    private ReplTool addToClasspath() {
        return new ReplTool(
                "add_to_classpath",
                "Add to the class path",
                """
                Makes classes available to the code that follows: a jar, a folder with classes, \
                several of them with the path separator between, or a Maven coordinate such as \
                org.apache.commons:commons-lang3:3.17.0, which is resolved with all that it needs \
                by the Maven that is installed, with its own settings. Without a version the \
                newest release is taken. Definitions are kept.\
                """,
                Effect.DOWNLOADS,
                List.of(
                        ToolParameter.text(
                                "entry", ENTRY_CHARS_MAX, "A path, or group:artifact:version.")),
                Json.of(
                        """
                        {"type":"object","properties":{"added":{"type":"array",
                        "items":{"type":"string"}},"classpath":{"type":"array",
                        "items":{"type":"string"}}},"required":["added","classpath"]}
                        """),
                (arguments, progress) -> add(arguments.text("entry").strip()));
    }

    private ReplToolResult add(String entry) throws ReplException, InterruptedException {
        List<Path> paths = MavenResolver.isCoordinate(entry) ? maven.resolve(entry) : paths(entry);
        if (paths.isEmpty()) {
            throw new ReplException("There is nothing to add");
        }
        session.addToClasspath(paths);
        List<String> added = paths.stream().map(path -> path.toAbsolutePath().toString()).toList();
        JsonWriter structured = new JsonWriter().beginObject();
        InspectTools.writeStrings("added", added, structured);
        InspectTools.writeStrings("classpath", session.classpath(), structured);
        return ReplToolResult.of("Added:\n  " + String.join("\n  ", added), structured);
    }

    private static List<Path> paths(String entry) throws ReplException {
        var paths = new ArrayList<Path>();
        try {
            for (String one : entry.split(File.pathSeparator, -1)) {
                if (!one.isBlank()) {
                    paths.add(Path.of(one.strip()));
                }
            }
        } catch (InvalidPathException e) {
            throw new ReplException("That is no path: " + e.getMessage(), e);
        }
        return paths;
    }

    private ReplTool reset() {
        return new ReplTool(
                "reset",
                "Start anew",
                """
                Ends the session's JVM with everything that runs in it, and starts a fresh one: \
                all definitions, values and additions to the class path are gone. Limits stay.\
                """,
                Effect.CHANGES_SESSION,
                List.of(),
                null,
                (arguments, progress) -> {
                    session.reset();
                    return ReplToolResult.of("The session is fresh: nothing is defined.");
                });
    }

    private ReplTool limits() {
        return new ReplTool(
                "limits",
                "Show or set limits",
                """
                Shows how long an evaluation may take and how much it may print, and sets what is \
                given. There is no way to switch a limit off.\
                """,
                Effect.CHANGES_SESSION,
                List.of(
                        ToolParameter.integer(
                                "timeoutMs",
                                EvaluationLimits.TIMEOUT_MIN.toMillis(),
                                EvaluationLimits.TIMEOUT_MAX.toMillis(),
                                "How long an evaluation may take, in milliseconds."),
                        ToolParameter.integer(
                                "outputChars",
                                EvaluationLimits.OUTPUT_CHARS_MIN,
                                EvaluationLimits.OUTPUT_CHARS_MAX,
                                "How many characters of output an evaluation may keep.")),
                Json.of(
                        """
                        {"type":"object","properties":{"timeoutMs":{"type":"integer"},
                        "outputChars":{"type":"integer"}},"required":["timeoutMs","outputChars"]}
                        """),
                (arguments, progress) -> limits(arguments));
    }

    private ReplToolResult limits(ToolArguments arguments) {
        EvaluationLimits old = session.limits();
        var limits =
                new EvaluationLimits(
                        Duration.ofMillis(arguments.number("timeoutMs", old.timeout().toMillis())),
                        (int) arguments.number("outputChars", old.outputCharsMax()));
        session.changeLimits(limits);
        JsonWriter structured = new JsonWriter().beginObject();
        structured.member("timeoutMs", limits.timeout().toMillis());
        structured.member("outputChars", limits.outputCharsMax());
        String text =
                "An evaluation may take %,d ms and print %,d characters."
                        .formatted(limits.timeout().toMillis(), limits.outputCharsMax());
        return ReplToolResult.of(text, structured);
    }

    private static ReplTool guide() {
        return new ReplTool(
                "guide",
                "How to use this session",
                "A short guide to the tools of this Java session, with examples. Read it first.",
                Effect.READ_ONLY,
                List.of(),
                null,
                (arguments, progress) -> ReplToolResult.of(ReplGuide.TEXT));
    }
}

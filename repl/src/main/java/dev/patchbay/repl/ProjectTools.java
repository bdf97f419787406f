package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The tool that attaches a project. */
final class ProjectTools {
    private static final int PATH_CHARS_MAX = 4_096;

    private final ReplSession session;
    private final ProjectClasspath projects;

    ProjectTools(ReplSession session, MavenResolver maven) {
        this.session = session;
        this.projects = new ProjectClasspath(maven);
    }

    List<ReplTool> all() {
        return List.of(
                new ReplTool(
                        "attach_project",
                        "Attach a project",
                        """
                        Adds the compiled classes and all dependencies of a Maven or Gradle \
                        project to the session's class path, as the project's own build tool \
                        tells them. The project is not compiled.\
                        """,
                        Effect.DOWNLOADS,
                        List.of(
                                ToolParameter.text(
                                        "folder",
                                        PATH_CHARS_MAX,
                                        "The folder with pom.xml or build.gradle, of one module."),
                                ToolParameter.flag(
                                        "tests",
                                        "With test classes and their dependencies. Default"
                                                + " false.")),
                        Json.of(
                                """
                                {"type":"object","properties":{"tool":{"type":"string"},
                                "added":{"type":"array","items":{"type":"string"}},
                                "missing":{"type":"array","items":{"type":"string"},
                                 "description":"not there: the project is not compiled"}},
                                "required":["tool","added","missing"]}
                                """),
                        (arguments, progress) -> attach(arguments)));
    }

    private ReplToolResult attach(ToolArguments arguments)
            throws ReplException, InterruptedException {
        ProjectClasspath.Result found;
        try {
            found = projects.of(Path.of(arguments.text("folder")), arguments.bool("tests", false));
        } catch (InvalidPathException e) {
            throw new ReplException("That is no path: " + e.getMessage(), e);
        }
        if (!found.entries().isEmpty()) {
            session.addToClasspath(found.entries());
        }
        List<String> added = found.entries().stream().map(Path::toString).toList();
        List<String> missing = found.missing().stream().map(Path::toString).toList();
        JsonWriter structured = new JsonWriter().beginObject().member("tool", found.tool());
        InspectTools.writeStrings("added", added, structured);
        InspectTools.writeStrings("missing", missing, structured);
        String text =
                "%s: added %d entries to the class path.".formatted(found.tool(), added.size());
        String note =
                missing.isEmpty()
                        ? ""
                        : "\nNot there, so compile the project first: "
                                + String.join(", ", missing);
        return ReplToolResult.of(text + note, structured);
    }
}

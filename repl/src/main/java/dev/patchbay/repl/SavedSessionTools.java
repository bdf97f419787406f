package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;
import dev.patchbay.repl.kernel.KernelMain;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The tool that saves, restores and exports sessions. */
final class SavedSessionTools {
    private static final int PATH_CHARS_MAX = 4_096;

    private static final List<ToolParameter> PARAMETERS =
            List.of(
                    ToolParameter.choice(
                            "action",
                            List.of("list", "save", "restore", "delete", "export"),
                            "Default list."),
                    ToolParameter.text(
                                    "name",
                                    SessionRegistry.NAME_CHARS_MAX,
                                    "The name of the saved session.")
                            .optional(),
                    ToolParameter.flag("values", "Restore values too. Default false."),
                    ToolParameter.choice(
                            "format",
                            List.of("java", "jsh"),
                            "Of an export without a path. Default jsh."),
                    ToolParameter.text("path", PATH_CHARS_MAX, "The new file of an export.")
                            .optional(),
                    RunTools.TIMEOUT);

    private final ReplSession session;
    private final SavedSessionStore store;
    private final ResourceStore resources;

    SavedSessionTools(ReplSession session, SavedSessionStore store, ResourceStore resources) {
        this.session = session;
        this.store = store;
        this.resources = resources;
    }

    List<ReplTool> all() {
        return List.of(
                new ReplTool(
                        "saved_sessions",
                        "Save, restore and export the session",
                        """
                        save keeps imports, types, methods, variables and class path under a \
                        name; restore replaces the session by them, and with values true runs the \
                        initializers of variables again, which are else left without values. \
                        export writes a .java or .jsh file, or gives it as a resource if there \
                        is no path. list and delete work on what is saved.\
                        """,
                        Effect.RUNS_CODE,
                        PARAMETERS,
                        Json.of(
                                """
                                {"type":"object","properties":{"action":{"type":"string"},
                                "saved":{"type":"array","items":{"type":"string"}},
                                "definitions":{"type":"integer"},
                                "lost":{"type":"array","items":{"type":"string"}},
                                "path":{"type":"string"},"resource":{"type":"string"}},
                                "required":["action","saved"]}
                                """),
                        this::call));
    }

    private ReplToolResult call(ToolArguments arguments, ProgressListener progress)
            throws ReplException, InterruptedException {
        String action = arguments.has("action") ? arguments.text("action") : "list";
        String name = arguments.text("name");
        JsonWriter structured = new JsonWriter().beginObject().member("action", action);
        return switch (action) {
            case "save" -> {
                SessionSnapshot snapshot = session.snapshot();
                store.save(name, snapshot);
                structured.member("definitions", snapshot.definitions().size());
                yield finish(
                        "Saved %d definitions as %s."
                                .formatted(snapshot.definitions().size(), name),
                        structured);
            }
            case "restore" -> restore(arguments, structured, progress);
            case "delete" -> {
                store.delete(name);
                yield finish("Deleted " + name + ".", structured);
            }
            case "export" -> export(arguments, structured);
            default -> {
                List<String> saved = store.list();
                yield finish(
                        saved.isEmpty()
                                ? "No session is saved."
                                : "Saved: " + String.join(", ", saved),
                        structured);
            }
        };
    }

    private ReplToolResult finish(String text, JsonWriter structured) throws ReplException {
        InspectTools.writeStrings("saved", store.list(), structured);
        return ReplToolResult.of(text, structured);
    }

    private ReplToolResult restore(
            ToolArguments arguments, JsonWriter structured, ProgressListener progress)
            throws ReplException, InterruptedException {
        SessionSnapshot snapshot = store.load(arguments.text("name"));
        List<String> lost = session.restore(snapshot);
        InspectTools.writeStrings("lost", lost, structured);
        structured.member("definitions", snapshot.definitions().size() - lost.size());
        var text =
                new StringBuilder(
                        "Restored %d definitions."
                                .formatted(snapshot.definitions().size() - lost.size()));
        if (!lost.isEmpty()) {
            text.append(" Not restored: ").append(String.join(", ", lost)).append('.');
        }
        if (arguments.bool("values", false)) {
            EvaluationResult values =
                    session.evaluate(
                            snapshot.initializers(), RunTools.limits(session, arguments), progress);
            text.append('\n');
            text.append(
                    new EvaluationFormatter(values, session.takeBackgroundOutput(), resources)
                            .answer(false)
                            .text());
        } else if (!snapshot.ofKind("variable").isEmpty()) {
            text.append(" Variables have no values: use values true to run their initializers.");
        }
        return finish(text.toString(), structured);
    }

    private ReplToolResult export(ToolArguments arguments, JsonWriter structured)
            throws ReplException, InterruptedException {
        String path = arguments.text("path");
        boolean isJava =
                path.isEmpty() ? arguments.text("format").equals("java") : path.endsWith(".java");
        if (!path.isEmpty() && !isJava && !path.endsWith(".jsh")) {
            throw new ReplException("The file of an export ends with .java or .jsh");
        }
        SessionSnapshot snapshot = session.snapshot();
        String text =
                isJava
                        ? SessionExporter.javaFile(snapshot, KernelMain.IMPORTED_PACKAGES)
                        : SessionExporter.script(snapshot, KernelMain.IMPORTED_PACKAGES);
        structured.member("definitions", snapshot.definitions().size());
        if (!path.isEmpty()) {
            structured.member("path", write(path, text).toString());
            return finish("Exported to " + path + ".", structured);
        }
        var resource = resources.add(isJava ? "session.java" : "session.jsh", "text/x-java", text);
        structured.member("resource", resource.uri());
        return finish(text, structured).withLink(resource);
    }

    private static Path write(String path, String text) throws ReplException {
        try {
            Path file = Path.of(path).toAbsolutePath();
            return Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new ReplException(path + " exists already: choose another name", e);
        } catch (IOException | InvalidPathException e) {
            throw new ReplException(path + " cannot be written: " + e.getMessage(), e);
        }
    }
}

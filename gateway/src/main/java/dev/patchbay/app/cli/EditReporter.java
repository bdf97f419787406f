package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reports edits of the configuration, as text or as JSON. */
final class EditReporter {
    private final AppContext context;
    private final Terminal terminal;
    private final boolean json;

    private EditReporter(AppContext context, boolean json) {
        this.context = context;
        this.terminal = context.terminal();
        this.json = json;
    }

    static EditReporter of(AppContext context, boolean json) {
        return new EditReporter(context, json);
    }

    static Path configFile(AppContext context, @Nullable Path chosen) {
        return new ConfigLocator(context.environment()).findForEditing(chosen);
    }

    /** Reports the result of an edit and returns the exit code. */
    int report(EditResult result, String id) {
        switch (result) {
            case EditResult.Changed(Path file, boolean created, List<Finding> findings) -> {
                findings.forEach(finding -> terminal.printMessage(file + ":" + finding));
                print((created ? "Created " : "Changed ") + file, file, true);
                return ExitCode.OK;
            }
            case EditResult.Unchanged(Path file) -> {
                print("Nothing to change in " + file, file, false);
                return ExitCode.OK;
            }
            case EditResult.Refused(Path file, EditResult.Refusal why, List<Finding> findings) -> {
                findings.forEach(finding -> terminal.printMessage(file + ":" + finding));
                throw new CommandFailedException(exitCode(why), reason(why, id, file));
            }
        }
    }

    private void print(String line, Path file, boolean changed) {
        var writer = new JsonWriter().beginObject().member("file", file.toString());
        String object = writer.member("changed", changed).endObject().toJson().toString();
        terminal.print(json ? object : line);
    }

    private static int exitCode(EditResult.Refusal why) {
        return why == EditResult.Refusal.INVALID_FILE ? ExitCode.WRONG_USAGE : ExitCode.FAILED;
    }

    private String reason(EditResult.Refusal why, String id, Path file) {
        return switch (why) {
            case INVALID_FILE -> file + " has errors. Fix them first. Nothing was changed.";
            case NO_SUCH_SERVER -> unknownServer(id, file);
            case SERVER_EXISTS ->
                    "Server "
                            + id
                            + " already exists in "
                            + file
                            + ". Remove it first: patchbay remove "
                            + id;
            case INVALID_ENTRY -> "The entry is not valid. Nothing was changed.";
        };
    }

    private String unknownServer(String id, Path file) {
        if (!Files.exists(file)) {
            return "There is no server "
                    + id
                    + ": there is no configuration yet. Add a server: patchbay add ID -- COMMAND";
        }
        var reader = new ConfigReader(context.environment().variables());
        return reader.read(file) instanceof ConfigReadResult.Valid(var configuration, _)
                ? UnknownServerText.of(id, file, configuration)
                : "There is no server " + id + " in " + file + ".";
    }
}

package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.Finding;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the commands that edit the configuration have in common. */
final class EditReporter {
    private final Terminal terminal;
    private final boolean json;

    private EditReporter(Terminal terminal, boolean json) {
        this.terminal = terminal;
        this.json = json;
    }

    /** What tells of edits, for a person or for a program. */
    static EditReporter of(AppContext context, boolean json) {
        return new EditReporter(context.terminal(), json);
    }

    static Path configFile(AppContext context, @Nullable Path chosen) {
        return new ConfigLocator(context.environment()).findForEditing(chosen);
    }

    /** Tells what came of an edit; the exit code. */
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

    private static String reason(EditResult.Refusal why, String id, Path file) {
        return switch (why) {
            case INVALID_FILE -> file + " has errors. Fix them first; nothing was changed.";
            case NO_SUCH_SERVER ->
                    "There is no server "
                            + id
                            + (Files.exists(file)
                                    ? " in " + file + "."
                                    : ": there is no configuration yet. Add a server: patchbay add"
                                            + " ID -- COMMAND");
            case SERVER_EXISTS ->
                    "There is a server " + id + " in " + file + " already. Remove it first.";
            case INVALID_ENTRY -> "The entry would not be legal. Nothing was changed.";
        };
    }
}

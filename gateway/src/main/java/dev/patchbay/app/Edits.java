package dev.patchbay.app;

import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.EditResult;
import dev.patchbay.config.Finding;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the commands that edit the configuration have in common. */
final class Edits {
    private final Terminal terminal;
    private final boolean json;

    private Edits(Terminal terminal, boolean json) {
        this.terminal = terminal;
        this.json = json;
    }

    /** What tells of edits, for a person or for a program. */
    static Edits of(Context context, boolean json) {
        return new Edits(context.terminal(), json);
    }

    static Path file(Context context, @Nullable Path chosen) {
        return new ConfigLocator(context.surroundings()).findForEditing(chosen);
    }

    /** Tells what came of an edit; the exit code. */
    int tell(EditResult result, String id) {
        switch (result) {
            case EditResult.Changed(Path file, boolean created, List<Finding> findings) -> {
                findings.forEach(finding -> terminal.say(file + ":" + finding));
                print((created ? "Created " : "Changed ") + file, file, true);
                return Exit.OK;
            }
            case EditResult.Unchanged(Path file) -> {
                print("Nothing to change in " + file, file, false);
                return Exit.OK;
            }
            case EditResult.Refused(Path file, EditResult.Refusal why, List<Finding> findings) -> {
                findings.forEach(finding -> terminal.say(file + ":" + finding));
                throw new CommandFailed(exitCode(why), reason(why, id, file));
            }
        }
    }

    private void print(String line, Path file, boolean changed) {
        var writer = new JsonWriter().beginObject().member("file", file.toString());
        String object = writer.member("changed", changed).endObject().toJson().toString();
        terminal.print(json ? object : line);
    }

    private static int exitCode(EditResult.Refusal why) {
        return why == EditResult.Refusal.FAULTY_FILE ? Exit.WRONG_USAGE : Exit.FAILED;
    }

    private static String reason(EditResult.Refusal why, String id, Path file) {
        return switch (why) {
            case FAULTY_FILE -> file + " has faults. Mend them first; nothing was changed.";
            case NO_SUCH_SERVER ->
                    "There is no server "
                            + id
                            + (Files.exists(file)
                                    ? " in " + file + "."
                                    : ": there is no configuration yet. Add a server: patchbay add"
                                            + " ID -- COMMAND");
            case SERVER_EXISTS ->
                    "There is a server " + id + " in " + file + " already. Remove it first.";
            case ILLEGAL_ENTRY -> "The entry would not be legal. Nothing was changed.";
        };
    }
}

package dev.patchbay.app;

import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.EditResult;
import dev.patchbay.config.Finding;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/** What the commands that edit the configuration have in common. */
final class Edits {
    private Edits() {}

    static Path file(Context context, @Nullable Path chosen) {
        return new ConfigLocator(context.surroundings()).findForEditing(chosen);
    }

    /** Tells what came of an edit; the exit code. */
    static int tell(Context context, EditResult result, String id) {
        Terminal terminal = context.terminal();
        switch (result) {
            case EditResult.Changed(Path file, boolean created, List<Finding> findings) -> {
                findings.forEach(finding -> terminal.say(file + ":" + finding));
                terminal.print((created ? "Created " : "Changed ") + file);
                return Exit.OK;
            }
            case EditResult.Unchanged(Path file) -> {
                terminal.print("Nothing to change in " + file);
                return Exit.OK;
            }
            case EditResult.Refused(Path file, EditResult.Refusal why, List<Finding> findings) -> {
                findings.forEach(finding -> terminal.say(file + ":" + finding));
                throw new CommandFailed(exitCode(why), reason(why, id, file));
            }
        }
    }

    private static int exitCode(EditResult.Refusal why) {
        return why == EditResult.Refusal.FAULTY_FILE ? Exit.WRONG_USAGE : Exit.FAILED;
    }

    private static String reason(EditResult.Refusal why, String id, Path file) {
        return switch (why) {
            case FAULTY_FILE -> file + " has faults. Mend them first; nothing was changed.";
            case NO_SUCH_SERVER -> "There is no server " + id + " in " + file + ".";
            case SERVER_EXISTS ->
                    "There is a server " + id + " in " + file + " already. Remove it first.";
            case ILLEGAL_ENTRY -> "The entry would not be legal. Nothing was changed.";
        };
    }
}

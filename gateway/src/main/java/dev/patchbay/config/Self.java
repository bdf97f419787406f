package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Recognises an entry that starts Patchbay itself, which must not start itself again. */
final class Self {
    private static final Pattern PROGRAM =
            Pattern.compile("(?i)patchbay(\\.(jar|exe|cmd|bat|sh))?");
    private static final String MAIN_CLASS = "dev.patchbay.app.Main";

    private Self() {}

    static boolean isStartedBy(Node.Table entry) {
        var args = new ArrayList<String>();
        if (entry.value("args") instanceof Node.Sequence sequence) {
            for (Node element : sequence.elements()) {
                args.add(element instanceof Node.Text text ? text.value() : "");
            }
        }
        String command = entry.value("command") instanceof Node.Text text ? text.value() : null;
        return isStartedBy(command, args);
    }

    /** Whether the command, or one it is handed to, is this program and serves MCP. */
    static boolean isStartedBy(@Nullable String command, List<String> args) {
        if (command == null) {
            return false;
        }
        if (isProgram(command)) {
            return !args.contains("repl");
        }
        for (int i = 0; i < args.size(); i++) {
            if (isProgram(args.get(i)) || args.get(i).equals(MAIN_CLASS)) {
                var rest = args.subList(i + 1, args.size());
                return rest.contains("stdio") || rest.contains("serve");
            }
        }
        return false;
    }

    private static boolean isProgram(String path) {
        int slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
        return PROGRAM.matcher(path.substring(slash + 1)).matches();
    }
}

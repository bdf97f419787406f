package dev.patchbay.config.read;

import dev.patchbay.config.syntax.SyntaxNode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Recognizes entries that start Patchbay itself, which would start itself again. */
public final class SelfReference {
    private static final String NAME = "patchbay";
    private static final Set<String> EXTENSIONS = Set.of("", ".jar", ".exe", ".cmd", ".bat", ".sh");
    private static final String MAIN_CLASS = "dev.patchbay.app.Main";

    private SelfReference() {}

    public static boolean startsPatchbay(SyntaxNode.ObjectNode entry) {
        var args = new ArrayList<String>();
        if (entry.value("args") instanceof SyntaxNode.ArrayNode sequence) {
            for (SyntaxNode element : sequence.elements()) {
                args.add(element instanceof SyntaxNode.StringNode text ? text.value() : "");
            }
        }
        String command =
                entry.value("command") instanceof SyntaxNode.StringNode text ? text.value() : null;
        return startsPatchbay(command, args);
    }

    /** Whether the command, or a command in its arguments, runs this program as an MCP server. */
    static boolean startsPatchbay(@Nullable String command, List<String> args) {
        if (command == null) {
            return false;
        }
        if (isPatchbayProgram(command)) {
            return !args.contains("repl");
        }
        for (int i = 0; i < args.size(); i++) {
            if (isPatchbayProgram(args.get(i)) || args.get(i).equals(MAIN_CLASS)) {
                var rest = args.subList(i + 1, args.size());
                return rest.contains("stdio") || rest.contains("serve");
            }
        }
        return false;
    }

    private static boolean isPatchbayProgram(String path) {
        int slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
        String file = path.substring(slash + 1);
        return file.regionMatches(true, 0, NAME, 0, NAME.length())
                && EXTENSIONS.contains(file.substring(NAME.length()).toLowerCase(Locale.ROOT));
    }
}

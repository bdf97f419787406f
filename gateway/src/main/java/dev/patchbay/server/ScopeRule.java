package dev.patchbay.server;

import dev.patchbay.server.ServerSpec.Scope;
import dev.patchbay.server.ServerSpec.Transport;

import java.util.List;
import java.util.Locale;

/**
 * The scope of a server, and why. Programs that are known to keep something for their client in
 * memory get a process for each client: a browser, an interpreter, a working directory, roots.
 * Everything else is shared.
 */
public record ScopeRule(Scope scope, String reason) {
    /**
     * Something that programs keep.
     *
     * @param names words in the names of programs and packages that keep it
     */
    private record KnownState(String reason, List<String> names) {
        private boolean isNamedIn(String word) {
            return names.stream().anyMatch(name -> containsWord(word, name));
        }
    }

    private static final List<KnownState> KNOWN_STATES =
            List.of(
                    new KnownState(
                            "it drives a browser",
                            List.of(
                                    "playwright",
                                    "puppeteer",
                                    "chrome-devtools",
                                    "browser",
                                    "browsermcp",
                                    "selenium",
                                    "webdriver",
                                    "stagehand")),
                    new KnownState(
                            "it keeps the variables of an interpreter",
                            List.of("repl", "jupyter", "ipython", "jshell", "desktop-commander")),
                    new KnownState(
                            "it keeps a project open", List.of("language-server", "lsp", "serena")),
                    new KnownState(
                            "it keeps the directories of its client",
                            List.of("server-filesystem", "git-mcp-server", "mcp-server-git")),
                    new KnownState(
                            "it keeps the thoughts of its client",
                            List.of("sequential-thinking", "sequentialthinking")),
                    new KnownState("it drives a device", List.of("mobile-mcp", "appium")));

    /** The scope of a server with this configuration. Never {@code AUTO}. */
    public static ScopeRule of(ServerSpec spec) {
        Scope configured = spec.options().instances().scope();
        if (configured != Scope.AUTO) {
            return new ScopeRule(configured, "configured");
        }
        if (!(spec.transport() instanceof Transport.Stdio program)) {
            return new ScopeRule(Scope.SHARED, "it is not started by the gateway");
        }
        if (spec.options().instances().replicas() > 1) {
            return new ScopeRule(Scope.SHARED, "it has replicas");
        }
        for (KnownState state : KNOWN_STATES) {
            if (state.isNamedIn(programName(program.command()))
                    || program.args().stream()
                            .filter(ScopeRule::mayNameProgram)
                            .map(ScopeRule::programName)
                            .anyMatch(state::isNamedIn)) {
                return new ScopeRule(Scope.CLIENT, state.reason);
            }
        }
        return new ScopeRule(Scope.SHARED, "it is not known to keep anything for a client");
    }

    private static boolean containsWord(String text, String word) {
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
            int end = at + word.length();
            boolean begins = at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1));
            if (begins && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)))) {
                return true;
            }
        }
        return false;
    }

    /** An option or a URL says nothing about the program. */
    private static boolean mayNameProgram(String argument) {
        return !argument.startsWith("-") && !argument.contains("://") && !argument.contains("=");
    }

    /** The last part of a path, or a package without its version. */
    private static String programName(String word) {
        String path = word.replace('\\', '/');
        boolean isPackage = path.startsWith("@");
        int slash = path.lastIndexOf('/');
        String name = slash < 0 || isPackage ? path : path.substring(slash + 1);
        int version = name.indexOf('@', 1);
        return (version < 0 ? name : name.substring(0, version)).toLowerCase(Locale.ROOT);
    }
}

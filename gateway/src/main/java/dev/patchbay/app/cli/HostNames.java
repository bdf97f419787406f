package dev.patchbay.app.cli;

import dev.patchbay.config.hosts.McpHost;

import java.util.Arrays;
import java.util.Iterator;

/** The names of the hosts, for the help and for completion. */
final class HostNames implements Iterable<String> {
    /** All names in one line. An annotation needs a constant; a test compares it. */
    static final String LIST =
            "claude-desktop, claude-code, cursor, vscode, codex, gemini-cli, windsurf, zed, cline,"
                    + " roo, continue, lm-studio, goose, opencode, copilot-cli, jetbrains, amp,"
                    + " warp, kiro";

    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(McpHost.values()).map(McpHost::cliName).iterator();
    }
}

package dev.patchbay.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A program that starts MCP servers and keeps a list of them in a file. */
public enum Host {
    CLAUDE_DESKTOP,
    CLAUDE_CODE,
    CURSOR,
    VSCODE,
    CODEX;

    /** The word for it on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Host> of(String word) {
        return Arrays.stream(values()).filter(host -> host.word().equals(word)).findFirst();
    }

    /** Whether it hides every tool when the name of one has a dot. */
    public boolean rejectsDots() {
        return switch (this) {
            case CLAUDE_DESKTOP, CODEX -> true;
            case CLAUDE_CODE, CURSOR, VSCODE -> false;
        };
    }

    /** Whether an entry has to say that it is a program to start. */
    boolean wantsType() {
        return switch (this) {
            case CLAUDE_CODE, VSCODE -> true;
            case CLAUDE_DESKTOP, CURSOR, CODEX -> false;
        };
    }
}

package dev.patchbay.repl.kernel;

import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

import org.jspecify.annotations.Nullable;

/** The snippets of a piece of code, one after the other, each with its place in the whole. */
final class SourceWalk {
    /** One snippet as it was written, and whether more of it should follow. */
    record Part(String source, int offset, boolean incomplete) {}

    private static final int LINES_TRIED_MAX = 100;

    private final SourceCodeAnalysis analysis;
    private final String code;
    private int at;

    SourceWalk(SourceCodeAnalysis analysis, String code) {
        this.analysis = analysis;
        this.code = code;
    }

    /** The next snippet; null behind the last one. */
    @Nullable Part next() {
        while (at < code.length() && Character.isWhitespace(code.charAt(at))) {
            at++;
        }
        String rest = code.substring(at);
        if (rest.isEmpty()) {
            return null;
        }
        int offset = at;
        var found = analysis.analyzeCompletion(rest);
        if (found.completeness() == Completeness.EMPTY) {
            at = code.length();
            return null;
        }
        if (isSnippet(found)) {
            at = code.length() - found.remaining().length();
            return new Part(found.source(), offset, false);
        }
        int lines = wholeLines(rest);
        if (lines > 0) {
            at += lines;
            String source = analysis.analyzeCompletion(rest.substring(0, lines)).source();
            return new Part(source, offset, false);
        }
        boolean complete = found.completeness().isComplete();
        at = complete ? code.length() - found.remaining().length() : code.length();
        boolean incomplete = !complete && found.completeness() != Completeness.UNKNOWN;
        return new Part(complete ? found.source() : rest, offset, incomplete);
    }

    /** What JShell takes for one snippet may be two on two lines, without a semicolon between. */
    private static boolean isSnippet(CompletionInfo found) {
        return found.completeness().isComplete() && Syntax.isSnippet(found.source());
    }

    /**
     * The length of the longest beginning, in whole lines, that is a snippet: the end of a line may
     * end an expression or a statement without a semicolon. Zero if there is none.
     */
    private int wholeLines(String text) {
        int end = text.indexOf('\n');
        int longest = 0;
        for (int count = 0; end >= 0 && count < LINES_TRIED_MAX; count++) {
            var found = analysis.analyzeCompletion(text.substring(0, end));
            if (isSnippet(found) && found.remaining().isBlank()) {
                longest = end;
            }
            end = text.indexOf('\n', end + 1);
        }
        return longest;
    }

    /** What no call of {@link #next} has given yet. */
    String rest() {
        return code.substring(at).strip();
    }
}

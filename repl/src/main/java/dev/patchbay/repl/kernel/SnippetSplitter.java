package dev.patchbay.repl.kernel;

import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

import org.jspecify.annotations.Nullable;

/** The snippets of a piece of code, one after the other, each with its place in the whole. */
final class SnippetSplitter {
    /** One snippet as it was written, and whether more of it should follow. */
    record SnippetSource(String source, int offset, boolean isIncomplete) {}

    private static final int LINES_MAX = 100;

    private final SourceCodeAnalysis analysis;
    private final String code;
    private int position;

    SnippetSplitter(SourceCodeAnalysis analysis, String code) {
        this.analysis = analysis;
        this.code = code;
    }

    /** The next snippet; null behind the last one. */
    @Nullable SnippetSource next() {
        while (position < code.length() && Character.isWhitespace(code.charAt(position))) {
            position++;
        }
        String rest = code.substring(position);
        if (rest.isEmpty()) {
            return null;
        }
        int offset = position;
        var found = analysis.analyzeCompletion(rest);
        if (found.completeness() == Completeness.EMPTY) {
            position = code.length();
            return null;
        }
        if (isSnippet(found)) {
            position = code.length() - found.remaining().length();
            return new SnippetSource(found.source(), offset, false);
        }
        int lines = longestSnippetLines(rest);
        if (lines > 0) {
            position += lines;
            String source = analysis.analyzeCompletion(rest.substring(0, lines)).source();
            return new SnippetSource(source, offset, false);
        }
        boolean complete = found.completeness().isComplete();
        position = complete ? code.length() - found.remaining().length() : code.length();
        boolean incomplete = !complete && found.completeness() != Completeness.UNKNOWN;
        return new SnippetSource(complete ? found.source() : rest, offset, incomplete);
    }

    /** What JShell takes for one snippet may be two on two lines, without a semicolon between. */
    private static boolean isSnippet(CompletionInfo found) {
        return found.completeness().isComplete() && JavaSyntax.isSnippet(found.source());
    }

    /**
     * The length of the longest beginning, in whole lines, that is a snippet: the end of a line may
     * end an expression or a statement without a semicolon. Zero if there is none.
     */
    private int longestSnippetLines(String text) {
        int end = text.indexOf('\n');
        int longest = 0;
        for (int count = 0; end >= 0 && count < LINES_MAX; count++) {
            var found = analysis.analyzeCompletion(text.substring(0, end));
            if (isSnippet(found) && found.remaining().isBlank()) {
                longest = end;
            }
            end = text.indexOf('\n', end + 1);
        }
        return longest;
    }

    /** What no call of {@link #next} has given yet. */
    String remaining() {
        return code.substring(position).strip();
    }
}

package dev.patchbay.repl;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of evaluated code: its snippets as far as they ran, and what was printed meanwhile.
 *
 * @param detail in words, what the ending means for the session; empty if it went well
 * @param notice what happened to the session before; empty if nothing did
 * @param notRun the code behind the snippet that failed
 * @param profile what the kernel recorded; null if it was not asked to, or was stopped
 * @param largeValues the whole texts of values that the snippets show the beginning of
 */
public record EvaluationResult(
        Status status,
        String detail,
        List<SnippetResult> snippets,
        CapturedOutput output,
        String notRun,
        String notice,
        Duration elapsed,
        @Nullable Json profile,
        List<LargeValue> largeValues) {
    /** A value whose text is too long for an answer. */
    public record LargeValue(String name, String text) {}

    /** How an evaluation may end. */
    public enum Status {
        /** Every snippet ran. */
        DONE,
        /** A snippet was rejected or threw; those behind it did not run. */
        FAILED,
        /** It took longer than allowed and was stopped; the session lives. */
        TIMED_OUT,
        /** The session's JVM is gone. */
        DIED
    }

    /** What was thrown, if something was. */
    Optional<ErrorReport> error() {
        return snippets.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(snippets.getLast().error());
    }

    /** The value of the last snippet, if it has one. */
    Optional<String> value() {
        return snippets.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(snippets.getLast().value());
    }

    String out() {
        return output.text(OutputListener.StandardStream.OUT);
    }

    String err() {
        return output.text(OutputListener.StandardStream.ERR);
    }
}

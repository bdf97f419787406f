package dev.patchbay.schema;

/**
 * One violation in the arguments of a call, described so that a model can correct it.
 *
 * @param pointer the JSON pointer in the arguments; empty for the arguments as a whole
 * @param keyword the violated keyword
 * @param message what is expected and what was found
 */
public record Violation(String pointer, String keyword, String message) {
    /** The violation as one line: {@code /count: must be an integer, got a string}. */
    public String text() {
        return (pointer.isEmpty() ? "arguments" : pointer) + ": " + message;
    }
}

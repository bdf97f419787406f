package dev.patchbay.schema;

/**
 * One thing that is wrong with the arguments of a call, said so that a model can correct it.
 *
 * @param pointer the JSON pointer of the place in the arguments; empty for the arguments themselves
 * @param keyword the word of the schema that is not satisfied
 * @param message what must be there and what is there instead
 */
public record Violation(String pointer, String keyword, String message) {
    /** The violation as one line: {@code /count: must be an integer, got a string}. */
    public String text() {
        return (pointer.isEmpty() ? "arguments" : pointer) + ": " + message;
    }
}

package dev.patchbay.registry;

import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A value that a server asks its user for.
 *
 * @param name how the user names it, in {@code NAME=VALUE}
 * @param defaultValues what is used without an answer; empty for nothing
 */
public record DeclaredInput(
        String name, String description, Rules rules, List<String> defaultValues) {

    /** What a value must be like. */
    public enum Format {
        STRING,
        NUMBER,
        BOOLEAN,
        FILEPATH
    }

    /**
     * The rules for a value.
     *
     * @param isRequired whether there must be one
     * @param isSecret whether it is kept in the secret store
     * @param isRepeated whether there may be several
     * @param choices the only values that are allowed; empty for any
     */
    public record Rules(
            boolean isRequired,
            boolean isSecret,
            boolean isRepeated,
            Format format,
            List<String> choices) {
        public Rules {
            choices = List.copyOf(choices);
        }
    }

    public DeclaredInput {
        defaultValues = List.copyOf(defaultValues);
    }

    /** Why a value is not allowed; null if it is. A reference to a variable is not checked. */
    public @Nullable String problem(String value) {
        if (value.contains("${")) {
            return null;
        }
        if (value.indexOf('\0') >= 0 || value.indexOf('\n') >= 0) {
            return name + " must be one line";
        }
        if (!rules.choices().isEmpty() && !rules.choices().contains(value)) {
            return "%s is not one of %s: %s"
                    .formatted(name, String.join(", ", rules.choices()), DisplayText.quote(value));
        }
        return switch (rules.format()) {
            case NUMBER -> isNumber(value) ? null : name + " must be a number";
            case BOOLEAN ->
                    value.equals("true") || value.equals("false")
                            ? null
                            : name + " must be true or false";
            case STRING, FILEPATH -> null;
        };
    }

    private static boolean isNumber(String value) {
        return value.matches("-?[0-9]{1,18}([.][0-9]{1,18})?");
    }
}

package dev.patchbay.catalog;

import org.jspecify.annotations.Nullable;

/**
 * The rule for names and URIs that servers give: 1 to 256 (2,048 for a URI) characters, none of
 * them invisible. Spaces, dots and other scripts are allowed; the advertised name takes care of
 * them.
 */
final class NameValidator {
    private static final int NAME_CHARS_MAX = 256;
    private static final int URI_CHARS_MAX = 2_048;

    private NameValidator() {}

    /** What is wrong with a name; null if nothing is. */
    static @Nullable String defect(String name) {
        return defect("name", name, NAME_CHARS_MAX);
    }

    /** What is wrong with a URI or URI template; null if nothing is. */
    static @Nullable String uriDefect(String uri) {
        return defect("URI", uri, URI_CHARS_MAX);
    }

    private static @Nullable String defect(String what, String text, int charsMax) {
        if (text.isBlank()) {
            return "Its " + what + " is empty";
        }
        if (text.length() > charsMax) {
            return "Its " + what + " is longer than " + charsMax + " characters";
        }
        return text.codePoints().anyMatch(NameValidator::isInvisible)
                ? "Its " + what + " has control or invisible characters"
                : null;
    }

    private static boolean isInvisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED ->
                    true;
            default -> false;
        };
    }
}

package dev.patchbay.repl.kernel.code;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The thing whose uses are wanted.
 *
 * @param owner the internal name of the class, such as {@code java/util/List}
 * @param member the name of a method or field; null for the class itself
 * @param parameters the types of the parameters, as {@link TypeNames} writes them, to tell
 *     overloads apart; null for all overloads
 */
public record ReferenceTarget(
        Kind kind, String owner, @Nullable String member, @Nullable List<String> parameters) {
    /** What may be used. */
    public enum Kind {
        CLASS,
        METHOD,
        FIELD
    }

    public ReferenceTarget {
        parameters = parameters == null ? null : List.copyOf(parameters);
    }

    /** Whether a reference of that name and descriptor may be meant, whatever its class. */
    boolean fits(String name, String descriptor) {
        if (!name.equals(member)) {
            return false;
        }
        boolean isMethod = descriptor.startsWith("(");
        if (isMethod != (kind == Kind.METHOD)) {
            return false;
        }
        return parameters == null || TypeNames.parametersFit(descriptor, parameters);
    }
}

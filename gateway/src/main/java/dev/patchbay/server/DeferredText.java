package dev.patchbay.server;

import java.util.List;

/**
 * A configured text that may refer to secrets. They are read each time the server starts and are
 * not kept here.
 */
public record DeferredText(List<Part> parts) {
    /** A piece of the text. */
    public sealed interface Part {
        record Literal(String text) implements Part {
            /** A literal may be a secret, too. */
            @Override
            public String toString() {
                return "…";
            }
        }

        record Reference(SecretReference secret) implements Part {
            @Override
            public String toString() {
                return secret.toString();
            }
        }
    }

    public DeferredText {
        parts = List.copyOf(parts);
    }

    public static DeferredText literal(String text) {
        return new DeferredText(List.of(new Part.Literal(text)));
    }

    /** Whether the text refers to no secret. */
    public boolean isLiteral() {
        for (Part part : parts) {
            if (part instanceof Part.Reference) {
                return false;
            }
        }
        return true;
    }

    /** The text without its references. */
    public String literalText() {
        if (parts.size() == 1 && parts.getFirst() instanceof Part.Literal(String text)) {
            return text;
        }
        var all = new StringBuilder();
        for (Part part : parts) {
            if (part instanceof Part.Literal(String text)) {
                all.append(text);
            }
        }
        return all.toString();
    }

    /** The secrets that the text refers to, in its order. */
    public List<SecretReference> references() {
        return parts.stream()
                .filter(Part.Reference.class::isInstance)
                .map(part -> ((Part.Reference) part).secret())
                .toList();
    }

    /** References are shown as written, literals are not shown. */
    @Override
    public String toString() {
        var shown = new StringBuilder();
        parts.forEach(shown::append);
        return shown.toString();
    }
}

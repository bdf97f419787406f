package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.server.DeferredText;
import dev.patchbay.server.SecretReference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Puts the values of environment variables into texts: {@code ${VAR}}, {@code ${VAR:-default}}, and
 * {@code ${env:VAR}} as other programs write it. Two dollar signs before the bracket stand for one,
 * and what follows is left alone. {@code ${secret:NAME}} and {@code ${file:PATH}} are not replaced:
 * they become references, where those are allowed.
 */
final class VariableExpander {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String EDITOR_PREFIX = "env:";
    private static final String SECRET_PREFIX = "secret:";
    private static final String FILE_PREFIX = "file:";
    private static final Pattern SECRET_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /**
     * An expanded text.
     *
     * @param value the text, with the secrets that it refers to still to be read
     * @param missing the variables that have neither value nor default
     * @param illegal what stands between brackets and is no variable
     * @param usesEditorSyntax whether a variable was written as {@code ${env:VAR}}
     */
    record Expansion(
            DeferredText value,
            List<String> missing,
            List<String> illegal,
            boolean usesEditorSyntax) {
        boolean isComplete() {
            return missing.isEmpty() && illegal.isEmpty();
        }
    }

    private final Map<String, String> environment;
    private final Kind missingKind;

    VariableExpander(Map<String, String> environment) {
        this(Map.copyOf(environment), Kind.MISSING_VARIABLE);
    }

    private VariableExpander(Map<String, String> environment, Kind missing) {
        this.environment = environment;
        this.missingKind = missing;
    }

    /** An expander for server entries: a missing variable affects only that server. */
    VariableExpander forServerEntries() {
        return new VariableExpander(environment, Kind.SERVER_VARIABLE);
    }

    /** The kind of finding for a missing variable. */
    Kind missingKind() {
        return missingKind;
    }

    /** Fills a text in. References to secrets count as illegal. */
    Expansion expand(String text) {
        return expand(text, false);
    }

    /** Fills a text in, which may refer to secrets. */
    Expansion expandWithReferences(String text) {
        return expand(text, true);
    }

    private Expansion expand(String text, boolean allowsReferences) {
        if (!text.contains("${")) {
            return new Expansion(DeferredText.literal(text), List.of(), List.of(), false);
        }
        var work = new TextExpansion(text, allowsReferences);
        work.run();
        return new Expansion(work.value(), work.missing, work.illegal, work.usesEditorSyntax);
    }

    /**
     * Whether what stands between the brackets refers to a secret. {@code ${file:-x}} is a variable
     * with a default.
     */
    static boolean isReference(String inside) {
        boolean isPrefixed = inside.startsWith(SECRET_PREFIX) || inside.startsWith(FILE_PREFIX);
        return isPrefixed && !inside.startsWith("-", inside.indexOf(':') + 1);
    }

    /** Returns the secrets that a text refers to. */
    static List<SecretReference> referencesIn(String text) {
        var expansion = new VariableExpander(Map.of()).new TextExpansion(text, true);
        expansion.run();
        return expansion.value().references();
    }

    /** Returns the names of the variables that a text uses, set or not. */
    static List<String> namesIn(String text) {
        var expansion = new VariableExpander(Map.of()).new TextExpansion(text, true);
        expansion.run();
        return expansion.used;
    }

    /** The expansion of one text. */
    private final class TextExpansion {
        private final String text;
        private final boolean allowsReferences;
        private final List<DeferredText.Part> parts = new ArrayList<>();
        private final StringBuilder out = new StringBuilder();
        private final List<String> used = new ArrayList<>();
        private final List<String> missing = new ArrayList<>();
        private final List<String> illegal = new ArrayList<>();
        private boolean usesEditorSyntax;

        TextExpansion(String text, boolean allowsReferences) {
            this.text = text;
            this.allowsReferences = allowsReferences;
        }

        DeferredText value() {
            if (!out.isEmpty() || parts.isEmpty()) {
                parts.add(new DeferredText.Part.Literal(out.toString()));
                out.setLength(0);
            }
            return new DeferredText(parts);
        }

        void run() {
            int at = 0;
            while (at < text.length()) {
                int start = text.indexOf("${", at);
                if (start < 0) {
                    out.append(text, at, text.length());
                    return;
                }
                if (start > at && text.charAt(start - 1) == '$') {
                    out.append(text, at, start - 1).append("${");
                    at = start + 2;
                    continue;
                }
                out.append(text, at, start);
                int end = text.indexOf('}', start);
                if (end < 0) {
                    illegal.add(text.substring(start + 2));
                    return;
                }
                expandVariable(text.substring(start + 2, end));
                at = end + 1;
            }
        }

        private void addReference(String inside) {
            String target = inside.substring(inside.indexOf(':') + 1);
            boolean isNamed = inside.startsWith(SECRET_PREFIX);
            boolean isValid =
                    isNamed
                            ? SECRET_NAME.matcher(target).matches()
                            : target.startsWith("/") || target.startsWith("~/");
            if (!isValid || !allowsReferences) {
                illegal.add(inside);
                return;
            }
            if (!out.isEmpty()) {
                parts.add(new DeferredText.Part.Literal(out.toString()));
                out.setLength(0);
            }
            var reference =
                    isNamed
                            ? new SecretReference.Named(target)
                            : new SecretReference.InFile(target);
            parts.add(new DeferredText.Part.Reference(reference));
        }

        private void expandVariable(String inside) {
            if (isReference(inside)) {
                addReference(inside);
                return;
            }
            boolean prefixed = inside.startsWith(EDITOR_PREFIX);
            usesEditorSyntax |= prefixed;
            String rest = prefixed ? inside.substring(EDITOR_PREFIX.length()) : inside;
            int dash = rest.indexOf(":-");
            String name = dash < 0 ? rest : rest.substring(0, dash);
            if (!NAME.matcher(name).matches()) {
                illegal.add(inside);
                return;
            }
            used.add(name);
            String value = environment.get(name);
            if (dash >= 0 && (value == null || value.isEmpty())) {
                out.append(rest, dash + 2, rest.length());
            } else if (value == null) {
                missing.add(name);
            } else {
                out.append(value);
            }
        }
    }
}

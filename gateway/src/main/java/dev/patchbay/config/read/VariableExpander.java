package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Puts the values of environment variables into texts: {@code ${VAR}}, {@code ${VAR:-default}}, and
 * {@code ${env:VAR}} as other programs write it. Two dollar signs before the bracket stand for one,
 * and what follows is left alone.
 */
final class VariableExpander {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String EDITOR_PREFIX = "env:";

    /**
     * A text after its variables were filled in.
     *
     * @param missing the variables that have neither value nor default
     * @param illegal what stands between brackets and is no variable
     * @param usesEditorSyntax whether a variable was written as {@code ${env:VAR}}
     */
    record Expansion(
            String text, List<String> missing, List<String> illegal, boolean usesEditorSyntax) {
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

    /** The same for the entries of servers, each of which can be missed. */
    VariableExpander forServerEntries() {
        return new VariableExpander(environment, Kind.SERVER_VARIABLE);
    }

    /** What a variable without a value is where these are filled in. */
    Kind missingKind() {
        return missingKind;
    }

    Expansion expand(String text) {
        if (!text.contains("${")) {
            return new Expansion(text, List.of(), List.of(), false);
        }
        var work = new TextExpansion(text);
        work.run();
        return new Expansion(
                work.out.toString(), work.missing, work.illegal, work.usesEditorSyntax);
    }

    /** Returns the names of the variables that a text uses, set or not. */
    static List<String> namesIn(String text) {
        var expansion = new VariableExpander(Map.of()).new TextExpansion(text);
        expansion.run();
        return expansion.used;
    }

    /** One text at work. */
    private final class TextExpansion {
        private final String text;
        private final StringBuilder out = new StringBuilder();
        private final List<String> used = new ArrayList<>();
        private final List<String> missing = new ArrayList<>();
        private final List<String> illegal = new ArrayList<>();
        private boolean usesEditorSyntax;

        TextExpansion(String text) {
            this.text = text;
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

        private void expandVariable(String inside) {
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

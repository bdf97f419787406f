package dev.patchbay.config;

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
final class Variables {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String FOREIGN_PREFIX = "env:";

    /**
     * A text after its variables were filled in.
     *
     * @param missing the variables that have neither value nor default
     * @param illegal what stands between brackets and is no variable
     * @param foreign whether a variable was written as {@code ${env:VAR}}
     */
    record Expanded(String text, List<String> missing, List<String> illegal, boolean foreign) {
        boolean isComplete() {
            return missing.isEmpty() && illegal.isEmpty();
        }
    }

    private final Map<String, String> environment;
    private final Kind missing;

    Variables(Map<String, String> environment) {
        this(Map.copyOf(environment), Kind.MISSING_VARIABLE);
    }

    private Variables(Map<String, String> environment, Kind missing) {
        this.environment = environment;
        this.missing = missing;
    }

    /** The same for the entries of servers, each of which can be missed. */
    Variables forServers() {
        return new Variables(environment, Kind.SERVER_VARIABLE);
    }

    /** What a variable without a value is where these are filled in. */
    Kind missing() {
        return missing;
    }

    Expanded expand(String text) {
        if (!text.contains("${")) {
            return new Expanded(text, List.of(), List.of(), false);
        }
        var work = new Work(text);
        work.run();
        return new Expanded(work.out.toString(), work.missing, work.illegal, work.foreign);
    }

    /** One text at work. */
    private final class Work {
        private final String text;
        private final StringBuilder out = new StringBuilder();
        private final List<String> missing = new ArrayList<>();
        private final List<String> illegal = new ArrayList<>();
        private boolean foreign;

        Work(String text) {
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
                fill(text.substring(start + 2, end));
                at = end + 1;
            }
        }

        private void fill(String inside) {
            boolean prefixed = inside.startsWith(FOREIGN_PREFIX);
            foreign |= prefixed;
            String rest = prefixed ? inside.substring(FOREIGN_PREFIX.length()) : inside;
            int dash = rest.indexOf(":-");
            String name = dash < 0 ? rest : rest.substring(0, dash);
            if (!NAME.matcher(name).matches()) {
                illegal.add(inside);
                return;
            }
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

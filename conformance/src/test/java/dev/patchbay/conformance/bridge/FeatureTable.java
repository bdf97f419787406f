package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The outcome of each feature by column: a table of {@code docs/eras.md} between two markers.
 * {@code -Dpatchbay.rewrite=true} writes it there.
 */
final class FeatureTable {
    private final String marker;
    private final String cornerLabel;
    private final List<String> columns;
    private final Map<String, Map<String, Set<String>>> rows = new LinkedHashMap<>();

    /** An empty table; the corner cell describes the columns. */
    FeatureTable(String mark, String corner, List<String> columns) {
        this.marker = mark;
        this.cornerLabel = corner;
        this.columns = List.copyOf(columns);
    }

    void recordOutcome(String feature, String column, String outcome) {
        rows.computeIfAbsent(feature, _ -> new LinkedHashMap<>())
                .computeIfAbsent(column, _ -> new TreeSet<>())
                .add(outcome);
    }

    /** Asserts that the guide has this table, or writes it. */
    void assertMatchesGuide() throws IOException {
        Path guide =
                Path.of(System.getProperty("patchbay.launcher", ""))
                        .toAbsolutePath()
                        .resolveSibling("docs/eras.md");
        String text = Files.readString(guide);
        String begin = "<!-- " + marker + " -->\n";
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf("<!-- end of " + marker + " -->\n");
        assertThat(from > begin.length() && to > from).as("The marks in %s", guide).isTrue();
        if (Boolean.getBoolean("patchbay.rewrite")) {
            Files.writeString(guide, text.substring(0, from) + toMarkdown() + text.substring(to));
        } else {
            assertThat(text.substring(from, to)).isEqualTo(toMarkdown());
        }
    }

    private String toMarkdown() {
        var text = new StringBuilder("\n|" + cornerLabel + "| ");
        text.append(String.join(" | ", columns)).append(" |\n|---");
        text.append("|---".repeat(columns.size())).append("|\n");
        rows.forEach(
                (feature, outcomes) -> {
                    text.append("| ").append(feature);
                    for (String column : columns) {
                        Set<String> seen = outcomes.getOrDefault(column, Set.of());
                        text.append(" | ").append(String.join("; ", seen));
                    }
                    text.append(" |\n");
                });
        return text.append("\n").toString();
    }
}

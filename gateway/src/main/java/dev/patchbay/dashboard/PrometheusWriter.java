package dev.patchbay.dashboard;

import java.math.BigDecimal;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Writes the text format of Prometheus: metric families with type, help and samples. */
final class PrometheusWriter {
    private final StringBuilder text = new StringBuilder();
    private String name = "";

    /** Starts a family; the following samples belong to it. */
    PrometheusWriter family(String family, String type, String help) {
        name = family;
        text.append("# HELP ").append(family).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(family).append(' ').append(type).append('\n');
        return this;
    }

    PrometheusWriter sample(String suffix, Map<String, String> labels, long value) {
        return sample(suffix, labels, Long.toString(value));
    }

    PrometheusWriter sample(String suffix, Map<String, String> labels, String value) {
        text.append(name).append(suffix);
        if (!labels.isEmpty()) {
            var pairs = new StringJoiner(",", "{", "}");
            new TreeMap<>(labels)
                    .forEach((label, of) -> pairs.add(label + "=\"" + escaped(of) + "\""));
            text.append(pairs);
        }
        text.append(' ').append(value).append('\n');
        return this;
    }

    /** Microseconds as seconds, exactly. */
    static String seconds(long micros) {
        return BigDecimal.valueOf(micros, 6).stripTrailingZeros().toPlainString();
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

package dev.patchbay.dashboard;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Writes metrics as text: metric families with type, help and samples. */
final class PrometheusWriter {
    private final StringBuilder text = new StringBuilder();
    private final MetricsFormat format;
    private String name = "";

    PrometheusWriter(MetricsFormat format) {
        this.format = format;
    }

    /** Starts a family; the following samples belong to it. */
    PrometheusWriter family(String family, String type, String help) {
        name = family;
        boolean isShortened = format == MetricsFormat.OPEN_METRICS && type.equals("counter");
        String title = isShortened ? family.replace("_total", "") : family;
        text.append("# HELP ").append(title).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(title).append(' ').append(type).append('\n');
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

    /** Adds a call that stands for the last sample. Only OpenMetrics has such. */
    void exemplar(ServerMeter.Exemplar call, Instant at) {
        if (format == MetricsFormat.OPEN_METRICS) {
            text.setLength(text.length() - 1);
            text.append(" # {trace_id=\"").append(call.span().traceId());
            text.append("\",span_id=\"").append(call.span().spanId()).append("\"} ");
            text.append(seconds(call.nanos() / 1_000)).append(' ');
            text.append(BigDecimal.valueOf(at.toEpochMilli(), 3).toPlainString()).append('\n');
        }
    }

    /** The upper bound of a bucket in seconds. OpenMetrics writes it with a fraction. */
    String bound(long micros) {
        String seconds = seconds(micros);
        boolean isWhole = seconds.indexOf('.') < 0;
        return isWhole && format == MetricsFormat.OPEN_METRICS ? seconds + ".0" : seconds;
    }

    /** The whole text. */
    String finish() {
        return format == MetricsFormat.OPEN_METRICS ? text + "# EOF\n" : text.toString();
    }

    /** Microseconds as seconds, exactly. */
    static String seconds(long micros) {
        return BigDecimal.valueOf(micros, 6).stripTrailingZeros().toPlainString();
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}

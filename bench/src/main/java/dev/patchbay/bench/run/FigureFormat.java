package dev.patchbay.bench.run;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Figures as people read them. */
final class FigureFormat {
    /** A value of the load client, and how a column is headed that shows it. */
    record Column(String name, String heading) {}

    static final List<Column> LOAD =
            List.of(
                    new Column("calls_per_s", "calls/s"),
                    new Column("p50_us", "p50 µs"),
                    new Column("p99_us", "p99 µs"),
                    new Column("cpu_us", "CPU µs a call"),
                    new Column("peak_rss_mb", "peak MB"));
    static final List<Column> START =
            List.of(
                    new Column("initialize_ms", "initialize ms"),
                    new Column("first_list_ms", "first list ms"),
                    new Column("full_list_ms", "full list ms"),
                    new Column("start_cpu_ms", "CPU ms to that"),
                    new Column("idle_rss_mb", "idle MB"));

    private FigureFormat() {}

    static List<Column> columns(BenchScenario scenario) {
        return scenario.load().isStart() ? START : LOAD;
    }

    /** What is said of a run as soon as it is over. */
    static String progressLine(BenchScenario scenario, String subject, LoadResult reading) {
        var values =
                columns(scenario).stream()
                        .map(
                                column ->
                                        column.heading()
                                                + " "
                                                + formatNumber(
                                                        reading.value(column.name()).orElse(0)))
                        .collect(Collectors.joining(", "));
        var losses = reading.losses() > 0 ? "; losses " + count(reading.losses()) : "";
        var fault = reading.fault().isEmpty() ? "" : "; " + reading.fault();
        return scenario.key() + " " + subject + ": " + values + losses + fault;
    }

    /** Three digits that say something, and commas between thousands. */
    static String formatNumber(double value) {
        if (value >= 100 || value == 0) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
    }

    static String servers(int count) {
        return count == 1 ? "1 server" : count + " servers";
    }

    static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    static String spread(Optional<BenchResults.Spread> spread) {
        return spread.map(
                        s ->
                                s.min() == s.max()
                                        ? formatNumber(s.median())
                                        : "%s (%s–%s)"
                                                .formatted(
                                                        formatNumber(s.median()),
                                                        formatNumber(s.min()),
                                                        formatNumber(s.max())))
                .orElse("–");
    }

    static String row(Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}

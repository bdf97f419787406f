package dev.patchbay.bench.run;

import dev.patchbay.bench.run.BenchResults.Metric;
import dev.patchbay.bench.run.BenchResults.Spread;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The figures as bars, in an SVG that follows the light or dark theme of whoever looks. */
record BarChart(BenchResults results) {
    private static final int WIDTH = 760;
    private static final int LABELS = 330;
    private static final int BARS = 330;
    private static final int ROW = 26;
    private static final int PANEL_HEAD = 44;

    private static final String STYLE =
            """
            <style>
            text { font: 13px system-ui, sans-serif; fill: #1f2328; }
            .title { font-weight: 600; }
            .ours { fill: #0969da; }
            .other { fill: #8c959f; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3; }
              .ours { fill: #4493f8; }
              .other { fill: #6e7681; }
            }
            </style>
            """;

    /** One bar. */
    private record Bar(String label, boolean isPatchbay, double value) {}

    /** Bars of one scale. */
    private record Panel(String title, List<Bar> bars) {}

    String svg() {
        var panels =
                List.of(cpuPanel(), throughputPanel(), startPanel()).stream()
                        .filter(panel -> !panel.bars().isEmpty())
                        .toList();
        var body = new StringBuilder();
        int y = 0;
        for (var panel : panels) {
            y = draw(body, panel, y);
        }
        return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">
        <title>Patchbay measured beside its limits and peers</title>
        %s%s</svg>
        """
                .formatted(WIDTH, y + 12, STYLE, body);
    }

    private Panel cpuPanel() {
        var bars = new ArrayList<Bar>();
        addValue(bars, "200 bytes, stdio, 1 in flight", "call-1", BenchSubjects.PATCHBAY, "cpu_us");
        addValue(bars, "… over 50 servers", "flat-servers-1", BenchSubjects.PATCHBAY, "cpu_us");
        addValue(
                bars,
                "200 bytes, stdio, 64 in flight",
                "call-64",
                BenchSubjects.PATCHBAY,
                "cpu_us");
        addValue(bars, "… with 1,000 tools", "flat-tools", BenchSubjects.PATCHBAY, "cpu_us");
        addValue(bars, "… over 50 servers", "flat-servers", BenchSubjects.PATCHBAY, "cpu_us");
        addValue(bars, "… 10,000 in flight", "inflight-10000", BenchSubjects.PATCHBAY, "cpu_us");
        addValue(
                bars,
                "HTTP to stdio, 64 in flight",
                "http-stdio",
                BenchSubjects.PATCHBAY_HTTP,
                "cpu_us");
        addValue(
                bars,
                "… from 1,000 clients",
                "clients-1000",
                BenchSubjects.PATCHBAY_HTTP,
                "cpu_us");
        addValue(
                bars,
                "HTTP to HTTP, 64 in flight",
                "http-http",
                BenchSubjects.PATCHBAY_HTTP,
                "cpu_us");
        addValue(bars, "HTTP to HTTP: nginx", "http-http", BenchSubjects.NGINX, "cpu_us");
        return new Panel("CPU of the gateway, µs a call", bars);
    }

    private Panel throughputPanel() {
        var bars = new ArrayList<Bar>();
        addRatio(bars, "1 MB, 1 in flight, of the relay's", "mb-1");
        addRatio(bars, "1 MB, 64 in flight, of the relay's", "mb-64");
        addRatio(bars, "1,000 tools listed, of the relay's", "list-1000");
        addRatio(bars, "200 bytes, 64 in flight, of the relay's", "call-64");
        addRatio(bars, "HTTP to stdio, of nginx's", "http-stdio");
        addRatio(bars, "HTTP to HTTP, of nginx's", "http-http");
        return new Panel("Calls a second, as a share of a hop that reads nothing", bars);
    }

    private Panel startPanel() {
        var bars = new ArrayList<Bar>();
        var typescript = BenchSubjects.TYPESCRIPT;
        addValue(bars, typescript + ": first answer", "start-1", typescript, "initialize_ms");
        addValue(
                bars, "Patchbay: first answer", "start-1", BenchSubjects.PATCHBAY, "initialize_ms");
        for (var servers : List.of(1, 10, 50)) {
            var key = "start-" + servers;
            addValue(
                    bars,
                    "… full list, " + FigureFormat.servers(servers),
                    key,
                    BenchSubjects.PATCHBAY,
                    "full_list_ms");
        }
        var again = BenchSubjects.PATCHBAY_SECOND_START;
        addValue(bars, "… second start, full list, 50 servers", "start-50", again, "full_list_ms");
        return new Panel("Milliseconds from the start of the process", bars);
    }

    private void addValue(
            List<Bar> bars, String label, String scenario, String subject, String name) {
        bar(label, subject, results.spread(scenario, subject, name)).ifPresent(bars::add);
    }

    private void addRatio(List<Bar> bars, String label, String key) {
        var scenario = BenchScenario.of(key);
        var subject = scenario.patchbay();
        var ratio =
                results.ratio(
                        new Metric(key, subject, "calls_per_s"),
                        new Metric(key, scenario.reference(), "calls_per_s"));
        bar(label, subject, ratio).ifPresent(bars::add);
    }

    private static Optional<Bar> bar(String label, String subject, Optional<Spread> spread) {
        return spread.map(s -> new Bar(label, BenchSubjects.isPatchbay(subject), s.median()));
    }

    /** Draws a panel from a height on; returns where it ends. */
    private static int draw(StringBuilder svg, Panel panel, int top) {
        appendText(svg, "title", 12, top + 28, panel.title());
        var most = panel.bars().stream().mapToDouble(Bar::value).max().orElse(1);
        int y = top + PANEL_HEAD;
        for (var bar : panel.bars()) {
            var width = Math.max(1, bar.value() / most * BARS);
            appendText(svg, "label", 12, y + 14, bar.label());
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\""
                                    + " rx=\"2\"/>\n",
                            bar.isPatchbay() ? "ours" : "other",
                            LABELS,
                            y,
                            width));
            appendText(
                    svg,
                    "value",
                    LABELS + (int) width + 8,
                    y + 14,
                    FigureFormat.formatNumber(bar.value()));
            y += ROW;
        }
        return y;
    }

    private static void appendText(StringBuilder svg, String kind, int x, int y, String text) {
        svg.append("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n".formatted(kind, x, y, text));
    }
}

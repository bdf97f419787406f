package dev.patchbay.bench.run;

import dev.patchbay.bench.run.Series.Spread;
import dev.patchbay.bench.run.Series.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The figures as bars, in an SVG that follows the light or dark theme of whoever looks. */
record Picture(Series series) {
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
    private record Bar(String label, boolean ours, double value) {}

    /** Bars of one scale. */
    private record Panel(String title, List<Bar> bars) {}

    String svg() {
        var panels =
                List.of(cpu(), throughput(), start()).stream()
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

    private Panel cpu() {
        var bars = new ArrayList<Bar>();
        add(bars, "200 bytes, stdio, 1 in flight", "call-1", Subject.PATCHBAY, "cpu_us");
        add(bars, "… over 50 servers", "flat-servers-1", Subject.PATCHBAY, "cpu_us");
        add(bars, "200 bytes, stdio, 64 in flight", "call-64", Subject.PATCHBAY, "cpu_us");
        add(bars, "… with 1,000 tools", "flat-tools", Subject.PATCHBAY, "cpu_us");
        add(bars, "… over 50 servers", "flat-servers", Subject.PATCHBAY, "cpu_us");
        add(bars, "… 10,000 in flight", "inflight-10000", Subject.PATCHBAY, "cpu_us");
        add(bars, "HTTP to stdio, 64 in flight", "http-stdio", Subject.PATCHBAY_HTTP, "cpu_us");
        add(bars, "… from 1,000 clients", "clients-1000", Subject.PATCHBAY_HTTP, "cpu_us");
        add(bars, "HTTP to HTTP, 64 in flight", "http-http", Subject.PATCHBAY_HTTP, "cpu_us");
        add(bars, "HTTP to HTTP: nginx", "http-http", Subject.NGINX, "cpu_us");
        return new Panel("CPU of the gateway, µs a call", bars);
    }

    private Panel throughput() {
        var bars = new ArrayList<Bar>();
        ratio(bars, "1 MB, 1 in flight, of the relay's", "mb-1");
        ratio(bars, "1 MB, 64 in flight, of the relay's", "mb-64");
        ratio(bars, "1,000 tools listed, of the relay's", "list-1000");
        ratio(bars, "200 bytes, 64 in flight, of the relay's", "call-64");
        ratio(bars, "HTTP to stdio, of nginx's", "http-stdio");
        ratio(bars, "HTTP to HTTP, of nginx's", "http-http");
        return new Panel("Calls a second, as a share of a hop that reads nothing", bars);
    }

    private Panel start() {
        var bars = new ArrayList<Bar>();
        var typescript = Subject.TYPESCRIPT;
        add(bars, typescript + ": first answer", "start-1", typescript, "initialize_ms");
        add(bars, "Patchbay: first answer", "start-1", Subject.PATCHBAY, "initialize_ms");
        for (var servers : List.of(1, 10, 50)) {
            var key = "start-" + servers;
            add(
                    bars,
                    "… full list, " + Text.servers(servers),
                    key,
                    Subject.PATCHBAY,
                    "full_list_ms");
        }
        var again = Subject.PATCHBAY_AGAIN;
        add(bars, "… second start, full list, 50 servers", "start-50", again, "full_list_ms");
        return new Panel("Milliseconds from the start of the process", bars);
    }

    private void add(List<Bar> bars, String label, String scenario, String subject, String name) {
        bar(label, subject, series.spread(scenario, subject, name)).ifPresent(bars::add);
    }

    private void ratio(List<Bar> bars, String label, String key) {
        var scenario = Scenario.of(key);
        var subject = scenario.patchbay();
        var ratio =
                series.ratio(
                        new Value(key, subject, "calls_per_s"),
                        new Value(key, scenario.reference(), "calls_per_s"));
        bar(label, subject, ratio).ifPresent(bars::add);
    }

    private static Optional<Bar> bar(String label, String subject, Optional<Spread> spread) {
        return spread.map(s -> new Bar(label, Subject.isPatchbay(subject), s.median()));
    }

    /** Draws a panel from a height on; returns where it ends. */
    private static int draw(StringBuilder svg, Panel panel, int top) {
        text(svg, "title", 12, top + 28, panel.title());
        var most = panel.bars().stream().mapToDouble(Bar::value).max().orElse(1);
        int y = top + PANEL_HEAD;
        for (var bar : panel.bars()) {
            var width = Math.max(1, bar.value() / most * BARS);
            text(svg, "label", 12, y + 14, bar.label());
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\""
                                    + " rx=\"2\"/>\n",
                            bar.ours() ? "ours" : "other",
                            LABELS,
                            y,
                            width));
            text(svg, "value", LABELS + (int) width + 8, y + 14, Text.figure(bar.value()));
            y += ROW;
        }
        return y;
    }

    private static void text(StringBuilder svg, String kind, int x, int y, String text) {
        svg.append("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n".formatted(kind, x, y, text));
    }
}

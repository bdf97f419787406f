package dev.patchbay.bench.run;

import dev.patchbay.bench.run.Series.Spread;
import dev.patchbay.bench.run.Series.Value;

import java.util.List;
import java.util.Optional;

/**
 * One figure that Patchbay wants to reach or to stay below.
 *
 * @param measured nothing if it was not measured in these runs
 */
record Goal(String text, boolean atMost, double bound, Optional<Spread> measured) {

    boolean isMet() {
        var value = measured.map(Spread::median).orElse(Double.NaN);
        return atMost ? value <= bound : value >= bound;
    }

    String boundText() {
        return (atMost ? "≤ " : "≥ ") + Text.figure(bound);
    }

    /** All goals, with what these runs say of them. */
    static List<Goal> of(Series series) {
        return new Goals(series).all();
    }

    /** Builds the list. */
    private record Goals(Series series) {
        /** What may come on top of a cost that is called flat. */
        private static final double FLAT = 1.25;

        List<Goal> all() {
            return List.of(
                    ofReference("call-64", "200 bytes, 64 in flight: calls/s of the relay", 0.15),
                    value("call-64", "cpu_us", "… CPU µs a call", 12),
                    value("call-64", "peak_rss_mb", "… MB at most", 160),
                    p50("call-1", "200 bytes, 1 in flight: p50 of the relay's", 3.2),
                    within("call-1", "… p99 of its own p50", "p99_us", "p50_us", 10),
                    value("call-1", "cpu_us", "… CPU µs a call", 45),
                    ofReference("mb-1", "1 MB, 1 in flight: calls/s of the relay", 0.5),
                    noLosses("mb-64", "1 MB, 64 in flight: lost or wrong in any run"),
                    ofReference("list-1000", "1,000 tools listed: lists/s of the relay", 0.8),
                    ofReference("http-stdio", "HTTP to stdio: calls/s of nginx", 0.5),
                    value("http-stdio", "cpu_us", "… CPU µs a call", 30),
                    ofReference("http-http", "HTTP to HTTP: calls/s of nginx", 0.35),
                    first(1, 0.6),
                    first(10, 0.95),
                    first(50, 1.45),
                    second(1),
                    second(10),
                    second(50),
                    initialize(),
                    ofReference("ping", "Pings: pings/s of the TypeScript server", 5),
                    value("start-10", "idle_rss_mb", "Idle with 10 servers: MB", 75),
                    cpu("flat-tools", "call-64", "1,000 tools instead of 1:", FLAT),
                    cpu("flat-servers", "call-64", "50 servers instead of 1:", FLAT),
                    cpu("flat-servers-1", "call-1", "50 servers instead of 1:", FLAT),
                    noLosses("clients-1000", "1,000 HTTP clients: lost or wrong in any run"),
                    cpu("clients-1000", "http-stdio", "…", 2),
                    value("clients-1000", "peak_rss_mb", "… MB at most", 250),
                    noLosses("inflight-10000", "10,000 in flight: lost or wrong in any run"),
                    cpu("inflight-10000", "call-64", "…", 2),
                    value("inflight-10000", "peak_rss_mb", "… MB at most", 250));
        }

        private static Value of(String scenario, String name) {
            return new Value(scenario, Scenario.of(scenario).patchbay(), name);
        }

        private Goal ofReference(String scenario, String text, double least) {
            var reference = Scenario.of(scenario).reference();
            var ratio =
                    series.ratio(
                            of(scenario, "calls_per_s"),
                            new Value(scenario, reference, "calls_per_s"));
            return new Goal(text, false, least, ratio);
        }

        private Goal p50(String scenario, String text, double most) {
            var reference = new Value(scenario, Scenario.of(scenario).reference(), "p50_us");
            return new Goal(text, true, most, series.ratio(of(scenario, "p50_us"), reference));
        }

        private Goal within(String scenario, String text, String name, String other, double most) {
            var ratio = series.ratio(of(scenario, name), of(scenario, other));
            return new Goal(text, true, most, ratio);
        }

        private Goal value(String scenario, String name, String text, double most) {
            return new Goal(text, true, most, spread(scenario, name));
        }

        private Optional<Spread> spread(String scenario, String name) {
            return series.spread(scenario, Scenario.of(scenario).patchbay(), name);
        }

        /** One loss in one run is one too many, whatever the median is. */
        private Goal noLosses(String scenario, String text) {
            var most =
                    spread(scenario, "losses").map(s -> new Spread(s.most(), s.most(), s.most()));
            return new Goal(text, true, 0, most);
        }

        private Goal first(int servers, double most) {
            var key = "start-" + servers;
            var ratio =
                    series.ratio(
                            of(key, "full_list_ms"),
                            new Value(key, Subject.TYPESCRIPT, "initialize_ms"));
            var text =
                    "Start to a full list, %s: of the TypeScript server's start to its first"
                            + " answer";
            return new Goal(text.formatted(Text.servers(servers)), true, most, ratio);
        }

        private Goal second(int servers) {
            var key = "start-" + servers;
            var again = Subject.PATCHBAY_AGAIN;
            var ratio =
                    series.ratio(
                            new Value(key, again, "full_list_ms"),
                            new Value(key, again, "initialize_ms"));
            var text = "Second start to a full list, %s: of its first answer";
            return new Goal(text.formatted(Text.servers(servers)), true, 1.5, ratio);
        }

        private Goal initialize() {
            var ratio =
                    series.ratio(
                            of("start-1", "initialize_ms"),
                            new Value("start-1", Subject.TYPESCRIPT, "initialize_ms"));
            return new Goal(
                    "Start to the first answer: of the TypeScript server's", true, 0.5, ratio);
        }

        /** What a call costs, of what it costs in a plainer scenario of the same run. */
        private Goal cpu(String scenario, String plain, String what, double most) {
            var ratio = series.ratio(of(scenario, "cpu_us"), of(plain, "cpu_us"));
            return new Goal(what + " CPU a call of " + plain, true, most, ratio);
        }
    }
}

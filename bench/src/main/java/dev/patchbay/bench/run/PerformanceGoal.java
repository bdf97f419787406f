package dev.patchbay.bench.run;

import dev.patchbay.bench.run.BenchResults.Metric;
import dev.patchbay.bench.run.BenchResults.Spread;

import java.util.List;
import java.util.Optional;

/**
 * One figure that Patchbay wants to reach or to stay below.
 *
 * @param measured nothing if it was not measured in these runs
 */
record PerformanceGoal(String text, boolean atMost, double bound, Optional<Spread> measured) {

    boolean isMet() {
        var value = measured.map(Spread::median).orElse(Double.NaN);
        return atMost ? value <= bound : value >= bound;
    }

    String boundText() {
        return (atMost ? "≤ " : "≥ ") + FigureFormat.formatNumber(bound);
    }

    /** All goals, with what these runs say of them. */
    static List<PerformanceGoal> of(BenchResults series) {
        return new GoalList(series).all();
    }

    /** Builds the list. */
    private record GoalList(BenchResults results) {
        /** What may come on top of a cost that is called flat. */
        private static final double FLAT_RATIO_MAX = 1.25;

        List<PerformanceGoal> all() {
            return List.of(
                    throughputRatio(
                            "call-64", "200 bytes, 64 in flight: calls/s of the relay", 0.15),
                    valueAtMost("call-64", "cpu_us", "… CPU µs a call", 12),
                    valueAtMost("call-64", "peak_rss_mb", "… MB at most", 160),
                    medianLatencyRatio("call-1", "200 bytes, 1 in flight: p50 of the relay's", 3.2),
                    ratioOfMetrics("call-1", "… p99 of its own p50", "p99_us", "p50_us", 10),
                    valueAtMost("call-1", "cpu_us", "… CPU µs a call", 45),
                    throughputRatio("mb-1", "1 MB, 1 in flight: calls/s of the relay", 0.5),
                    noLosses("mb-64", "1 MB, 64 in flight: lost or wrong in any run"),
                    throughputRatio("list-1000", "1,000 tools listed: lists/s of the relay", 0.8),
                    throughputRatio("http-stdio", "HTTP to stdio: calls/s of nginx", 0.5),
                    valueAtMost("http-stdio", "cpu_us", "… CPU µs a call", 30),
                    throughputRatio("http-http", "HTTP to HTTP: calls/s of nginx", 0.35),
                    firstStart(1, 0.6),
                    firstStart(10, 0.95),
                    firstStart(50, 1.45),
                    secondStart(1),
                    secondStart(10),
                    secondStart(50),
                    initialize(),
                    throughputRatio("ping", "Pings: pings/s of the TypeScript server", 5),
                    valueAtMost("start-10", "idle_rss_mb", "Idle with 10 servers: MB", 75),
                    cpuRatio("flat-tools", "call-64", "1,000 tools instead of 1:", FLAT_RATIO_MAX),
                    cpuRatio("flat-servers", "call-64", "50 servers instead of 1:", FLAT_RATIO_MAX),
                    cpuRatio(
                            "flat-servers-1", "call-1", "50 servers instead of 1:", FLAT_RATIO_MAX),
                    noLosses("clients-1000", "1,000 HTTP clients: lost or wrong in any run"),
                    cpuRatio("clients-1000", "http-stdio", "…", 2),
                    valueAtMost("clients-1000", "peak_rss_mb", "… MB at most", 250),
                    noLosses("inflight-10000", "10,000 in flight: lost or wrong in any run"),
                    cpuRatio("inflight-10000", "call-64", "…", 2),
                    valueAtMost("inflight-10000", "peak_rss_mb", "… MB at most", 250));
        }

        private static Metric metric(String scenario, String name) {
            return new Metric(scenario, BenchScenario.of(scenario).patchbay(), name);
        }

        private PerformanceGoal throughputRatio(String scenario, String text, double least) {
            var reference = BenchScenario.of(scenario).reference();
            var ratio =
                    results.ratio(
                            metric(scenario, "calls_per_s"),
                            new Metric(scenario, reference, "calls_per_s"));
            return new PerformanceGoal(text, false, least, ratio);
        }

        private PerformanceGoal medianLatencyRatio(String scenario, String text, double most) {
            var reference = new Metric(scenario, BenchScenario.of(scenario).reference(), "p50_us");
            return new PerformanceGoal(
                    text, true, most, results.ratio(metric(scenario, "p50_us"), reference));
        }

        private PerformanceGoal ratioOfMetrics(
                String scenario, String text, String name, String other, double most) {
            var ratio = results.ratio(metric(scenario, name), metric(scenario, other));
            return new PerformanceGoal(text, true, most, ratio);
        }

        private PerformanceGoal valueAtMost(
                String scenario, String name, String text, double most) {
            return new PerformanceGoal(text, true, most, spread(scenario, name));
        }

        private Optional<Spread> spread(String scenario, String name) {
            return results.spread(scenario, BenchScenario.of(scenario).patchbay(), name);
        }

        /** One loss in one run is one too many, whatever the median is. */
        private PerformanceGoal noLosses(String scenario, String text) {
            var most = spread(scenario, "losses").map(s -> new Spread(s.max(), s.max(), s.max()));
            return new PerformanceGoal(text, true, 0, most);
        }

        private PerformanceGoal firstStart(int servers, double most) {
            var key = "start-" + servers;
            var ratio =
                    results.ratio(
                            metric(key, "full_list_ms"),
                            new Metric(key, BenchSubjects.TYPESCRIPT, "initialize_ms"));
            var text =
                    "Start to a full list, %s: of the TypeScript server's start to its first"
                            + " answer";
            return new PerformanceGoal(
                    text.formatted(FigureFormat.servers(servers)), true, most, ratio);
        }

        private PerformanceGoal secondStart(int servers) {
            var key = "start-" + servers;
            var again = BenchSubjects.PATCHBAY_SECOND_START;
            var ratio =
                    results.ratio(
                            new Metric(key, again, "full_list_ms"),
                            new Metric(key, again, "initialize_ms"));
            var text = "Second start to a full list, %s: of its first answer";
            return new PerformanceGoal(
                    text.formatted(FigureFormat.servers(servers)), true, 1.5, ratio);
        }

        private PerformanceGoal initialize() {
            var ratio =
                    results.ratio(
                            metric("start-1", "initialize_ms"),
                            new Metric("start-1", BenchSubjects.TYPESCRIPT, "initialize_ms"));
            return new PerformanceGoal(
                    "Start to the first answer: of the TypeScript server's", true, 0.5, ratio);
        }

        /** What a call costs, of what it costs in a plainer scenario of the same run. */
        private PerformanceGoal cpuRatio(String scenario, String plain, String what, double most) {
            var ratio = results.ratio(metric(scenario, "cpu_us"), metric(plain, "cpu_us"));
            return new PerformanceGoal(what + " CPU a call of " + plain, true, most, ratio);
        }
    }
}

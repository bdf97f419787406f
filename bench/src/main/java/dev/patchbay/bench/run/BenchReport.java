package dev.patchbay.bench.run;

import dev.patchbay.bench.run.BenchResults.Spread;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of all runs, for the terminal, for the guide and for programs. */
record BenchReport(Path root, BenchResults results, BenchOptions settings) {
    private static final String BEGIN = "<!-- bench/run writes from here -->";
    private static final String END = "<!-- bench/run writes to here -->";

    /** Prints the tables and keeps the results; writes the page of the guide if that is asked. */
    void publish() throws IOException {
        var facts = header();
        System.out.println(facts + "\n\n" + goals() + tables());
        var target = Files.createDirectories(root.resolve("bench", "target"));
        Files.writeString(target.resolve("results.json"), json());
        Files.writeString(target.resolve("performance.svg"), new BarChart(results).svg());
        if (settings.outputs().write()) {
            var docs = root.resolve("docs");
            Files.writeString(docs.resolve("performance.json"), json());
            Files.writeString(docs.resolve("performance.svg"), new BarChart(results).svg());
            var picture = "![The figures below as bars](performance.svg)\n";
            var text = facts + "\n\n" + picture + "\n" + goals() + tables();
            replace(docs.resolve("performance.md"), text);
        }
    }

    private static void replace(Path page, String text) throws IOException {
        var old = Files.readString(page);
        var begin = old.indexOf(BEGIN);
        var end = old.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " has no place for the figures");
        }
        Files.writeString(
                page,
                old.substring(0, begin + BEGIN.length()) + "\n" + text + "\n" + old.substring(end));
    }

    private String header() {
        var others = new ArrayList<Double>();
        for (var scenario : BenchScenario.all()) {
            for (var subject : scenario.subjects()) {
                results.resultsOf(scenario.key(), subject).stream()
                        .flatMapToDouble(reading -> reading.value("others").stream())
                        // Clock ticks are coarse: what is left for others may come out below 0.
                        .forEach(share -> others.add(Math.max(0, share)));
            }
        }
        var busy =
                others.isEmpty()
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                " Other programs took %.0f %% of the machine meanwhile (median).",
                                Spread.of(others.stream().mapToDouble(d -> d).toArray()).median()
                                        * 100);
        return "%s. Alternating runs: %d. Medians, in brackets the least and the most.%s"
                .formatted(MachineDescription.describe(), settings.runs(), busy);
    }

    private String goals() {
        var text = new StringBuilder(FigureFormat.row(Stream.of("goal", "", "measured", "")));
        text.append(FigureFormat.row(Stream.of("---", "---", "---", "---")));
        for (var goal : PerformanceGoal.of(results)) {
            if (goal.measured().isPresent()) {
                text.append(
                        FigureFormat.row(
                                Stream.of(
                                        goal.text(),
                                        goal.boundText(),
                                        FigureFormat.spread(goal.measured()),
                                        goal.isMet() ? "met" : "**missed**")));
            }
        }
        return text.toString();
    }

    private String tables() {
        var text = new StringBuilder();
        for (var scenario : BenchScenario.all()) {
            if (settings.includes(scenario)) {
                text.append("\n**").append(scenario.title()).append("**");
                text.append(" (`").append(scenario.key()).append("`)\n\n").append(table(scenario));
            }
        }
        return text.toString();
    }

    private String table(BenchScenario scenario) {
        var headings = new ArrayList<String>();
        headings.add("");
        FigureFormat.columns(scenario).forEach(column -> headings.add(column.heading()));
        headings.add("of " + scenario.reference());
        headings.add("lost or wrong");
        var text = new StringBuilder(FigureFormat.row(headings.stream()));
        text.append(FigureFormat.row(headings.stream().map(heading -> "---")));
        for (var subject : scenario.subjects()) {
            if (!results.resultsOf(scenario.key(), subject).isEmpty()) {
                text.append(row(scenario, subject));
            }
        }
        return text.toString();
    }

    private String row(BenchScenario scenario, String subject) {
        var readings = results.resultsOf(scenario.key(), subject);
        var figures =
                FigureFormat.columns(scenario).stream()
                        .map(
                                c ->
                                        FigureFormat.spread(
                                                results.spread(scenario.key(), subject, c.name())));
        var losses = FigureFormat.count(readings.stream().mapToDouble(LoadResult::losses).sum());
        var fault = readings.stream().map(LoadResult::fault).filter(f -> !f.isEmpty()).findFirst();
        var last =
                Stream.of(
                        FigureFormat.spread(ratio(scenario, subject)),
                        fault.map(f -> losses + ": " + f).orElse(losses));
        return FigureFormat.row(Stream.concat(Stream.of(subject), Stream.concat(figures, last)));
    }

    /** Calls against calls, and the start to a full list against the reference's first answer. */
    private Optional<Spread> ratio(BenchScenario scenario, String subject) {
        var start = scenario.load().isStart();
        return results.ratio(
                new BenchResults.Metric(
                        scenario.key(), subject, start ? "full_list_ms" : "calls_per_s"),
                new BenchResults.Metric(
                        scenario.key(),
                        scenario.reference(),
                        start ? "initialize_ms" : "calls_per_s"));
    }

    private String json() {
        var scenarios =
                BenchScenario.all().stream()
                        .filter(settings::includes)
                        .flatMap(s -> s.subjects().stream().map(subject -> json(s, subject)))
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining(",\n"));
        return "{\"runs\":%d,\"machine\":\"%s\",\"results\":[\n%s\n]}\n"
                .formatted(settings.runs(), MachineDescription.describe(), scenarios);
    }

    private String json(BenchScenario scenario, String subject) {
        var readings = results.resultsOf(scenario.key(), subject);
        if (readings.isEmpty()) {
            return "";
        }
        List<String> names =
                readings.stream()
                        .flatMap(r -> r.values().keySet().stream())
                        .distinct()
                        .sorted()
                        .toList();
        var values =
                names.stream()
                        .map(name -> json(name, results.spread(scenario.key(), subject, name)))
                        .collect(Collectors.joining(","));
        return "{\"scenario\":\"%s\",\"subject\":\"%s\",%s}"
                .formatted(scenario.key(), subject, values);
    }

    private static String json(String name, Optional<Spread> spread) {
        return spread.map(
                        s ->
                                String.format(
                                        Locale.ROOT,
                                        "\"%s\":[%s,%s,%s]",
                                        name,
                                        s.min(),
                                        s.median(),
                                        s.max()))
                .orElse("\"" + name + "\":null");
    }
}

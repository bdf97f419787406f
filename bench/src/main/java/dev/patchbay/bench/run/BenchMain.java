package dev.patchbay.bench.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The program behind {@code bench/run}. */
final class BenchMain {
    private static final int START_ROUNDS = 3;

    private final BenchOptions settings;
    private final ScenarioRunner runner;
    private final BenchResults results = new BenchResults();

    private BenchMain(BenchOptions settings, ScenarioRunner runner) {
        this.settings = settings;
        this.runner = runner;
    }

    /** Takes the folder of the project, and then the options. */
    public static void main(String[] args) throws IOException, InterruptedException {
        var options = List.of(args).subList(1, args.length);
        if (options.contains("--help")) {
            System.out.print(BenchOptions.HELP);
            return;
        }
        if (!System.getProperty("os.name").equals("Linux")) {
            System.err.println("bench: needs Linux, whose /proc says what a process uses.");
            System.exit(1);
        }
        var root = Path.of(args[0]);
        var settings = BenchOptions.parse(options);
        var launcher = settings.outputs().launcher().orElse(root.resolve("patchbay"));
        var instruments = new BenchPrograms(root, launcher.toAbsolutePath());
        instruments.compilePrograms();
        instruments.installFromNpm("npm");
        if (settings.outputs().peers()) {
            instruments.installFromNpm("peers");
        }
        var runner = new ScenarioRunner(instruments, settings.warmupS(), settings.durationS());
        var bench = new BenchMain(settings, runner);
        bench.measure();
        new BenchReport(root, bench.results, settings).publish();
    }

    private void measure() throws IOException, InterruptedException {
        for (int run = 1; run <= settings.runs(); run++) {
            for (var scenario : BenchScenario.all()) {
                if (settings.includes(scenario)) {
                    measure(scenario, run);
                }
            }
        }
    }

    /** A start is short and varies much, so that it is measured several times in a run. */
    private void measure(BenchScenario scenario, int run) throws IOException, InterruptedException {
        var rounds = scenario.load().isStart() ? START_ROUNDS : 1;
        for (int round = 0; round < rounds; round++) {
            measureOnce(scenario, run + round);
        }
    }

    /** Every other turn goes through the subjects the other way round. */
    private void measureOnce(BenchScenario scenario, int turn)
            throws IOException, InterruptedException {
        var subjects = turn % 2 == 1 ? scenario.subjects() : scenario.subjects().reversed();
        for (var subject : subjects) {
            if (BenchSubjects.isOptional(subject) && !settings.outputs().peers()) {
                continue;
            }
            var reading = runner.run(scenario, subject);
            if (reading.isPresent()) {
                results.add(scenario, subject, reading.get());
                System.err.println(FigureFormat.progressLine(scenario, subject, reading.get()));
            }
        }
    }
}

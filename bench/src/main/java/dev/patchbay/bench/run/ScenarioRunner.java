package dev.patchbay.bench.run;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Puts one scenario to one subject, once. */
final class ScenarioRunner {
    private static final double NATIVE_WARMUP_S = 1;

    /** Of a warm-up, what the program gets of one core on a machine that is not busy. */
    private static final double WARMUP_CPU_SHARE = 0.6;

    private static final double IDLE_S = 1;
    private static final long RUN_S_MAX = 300;

    private final BenchPrograms programs;
    private final BenchSubjects subjects;
    private final double warmupS;
    private final double durationS;

    ScenarioRunner(BenchPrograms instruments, double warmupS, double durationS) {
        this.programs = instruments;
        this.subjects = new BenchSubjects(instruments);
        this.warmupS = warmupS;
        this.durationS = durationS;
    }

    /** What the load client saw, or nothing if this machine does not have the subject. */
    Optional<LoadResult> run(BenchScenario scenario, String name)
            throws IOException, InterruptedException {
        try (var site = new BenchWorkspace()) {
            var servers = scenario.servers();
            if (servers.overHttp() || BenchSubjects.needsHttpServers(name)) {
                for (int i = 0; i < servers.count(); i++) {
                    site.startServer(subjects.server(servers, i + 1));
                }
            }
            var launch = subjects.launch(name, scenario, site);
            if (launch.isEmpty()) {
                return Optional.empty();
            }
            var command = command(scenario, name, launch.get());
            if (BenchSubjects.startsTwice(name)) {
                measure(command, site);
            }
            return Optional.of(measure(command, site));
        }
    }

    private List<String> command(BenchScenario scenario, String name, BenchSubjects.Launch launch) {
        var load = scenario.load();
        var compiled = launch.warmup() == BenchSubjects.Warmup.NATIVE;
        var command = new ArrayList<>(List.of(programs.loadClient().toString()));
        addOption(command, "--mode", load.mode());
        addOption(command, "--size", load.textBytes());
        addOption(command, "--inflight", load.inFlight());
        addOption(command, "--clients", load.clients());
        addOption(command, "--warmup", compiled ? NATIVE_WARMUP_S : warmupS);
        addOption(command, "--warmup-cpu", compiled ? 0 : warmupS * WARMUP_CPU_SHARE);
        addOption(command, "--duration", durationS);
        addOption(command, "--idle", load.isStart() ? IDLE_S : 0);
        addOption(command, "--errors", "stderr.txt");
        var alone = name.equals(BenchSubjects.TYPESCRIPT);
        addOption(command, "--expect", alone ? 1 : scenario.servers().tools());
        launch.tools().forEach(tool -> addOption(command, "--tool", tool));
        launch.url().ifPresent(url -> addOption(command, "--http", url));
        command.add("--");
        command.addAll(launch.command());
        return command;
    }

    private static void addOption(List<String> command, String option, Object value) {
        command.add(option);
        command.add(value.toString());
    }

    private static LoadResult measure(List<String> command, BenchWorkspace site)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).directory(site.folder().toFile());
        var output = site.folder().resolve("reading.txt");
        builder.redirectOutput(output.toFile()).redirectError(Redirect.INHERIT);
        // Neither the user's configuration nor the user's state has a part in this.
        builder.environment().put("HOME", site.folder().toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
        var process = builder.start();
        if (!process.waitFor(RUN_S_MAX, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            var end = "failed it had not ended after " + RUN_S_MAX + " s\n";
            Files.writeString(output, end, StandardOpenOption.APPEND);
        }
        return LoadResult.parse(output);
    }
}

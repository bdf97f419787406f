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
final class Runner {
    private static final double NATIVE_WARMUP_S = 1;

    /** Of a warm-up, what the program gets of one core on a machine that is not busy. */
    private static final double WARMUP_CPU_SHARE = 0.6;

    private static final double IDLE_S = 1;
    private static final long RUN_S_MAX = 300;

    private final Instruments instruments;
    private final Subject subject;
    private final double warmupS;
    private final double durationS;

    Runner(Instruments instruments, double warmupS, double durationS) {
        this.instruments = instruments;
        this.subject = new Subject(instruments);
        this.warmupS = warmupS;
        this.durationS = durationS;
    }

    /** What the load client saw, or nothing if this machine does not have the subject. */
    Optional<Reading> run(Scenario scenario, String name) throws IOException, InterruptedException {
        try (var site = new Site()) {
            var servers = scenario.servers();
            if (servers.overHttp() || Subject.needsHttpServers(name)) {
                for (int i = 0; i < servers.count(); i++) {
                    site.startServer(subject.server(servers, i + 1));
                }
            }
            var launch = subject.launch(name, scenario, site);
            if (launch.isEmpty()) {
                return Optional.empty();
            }
            var command = command(scenario, name, launch.get());
            if (Subject.startsTwice(name)) {
                read(command, site);
            }
            return Optional.of(read(command, site));
        }
    }

    private List<String> command(Scenario scenario, String name, Subject.Launch launch) {
        var load = scenario.load();
        var compiled = launch.warmup() == Subject.Warmup.NATIVE;
        var command = new ArrayList<>(List.of(instruments.load().toString()));
        add(command, "--mode", load.mode());
        add(command, "--size", load.textBytes());
        add(command, "--inflight", load.inFlight());
        add(command, "--clients", load.clients());
        add(command, "--warmup", compiled ? NATIVE_WARMUP_S : warmupS);
        add(command, "--warmup-cpu", compiled ? 0 : warmupS * WARMUP_CPU_SHARE);
        add(command, "--duration", durationS);
        add(command, "--idle", load.isStart() ? IDLE_S : 0);
        add(command, "--errors", "stderr.txt");
        var alone = name.equals(Subject.TYPESCRIPT);
        add(command, "--expect", alone ? 1 : scenario.servers().tools());
        launch.tools().forEach(tool -> add(command, "--tool", tool));
        launch.url().ifPresent(url -> add(command, "--http", url));
        command.add("--");
        command.addAll(launch.command());
        return command;
    }

    private static void add(List<String> command, String option, Object value) {
        command.add(option);
        command.add(value.toString());
    }

    private static Reading read(List<String> command, Site site)
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
        return Reading.of(output);
    }
}

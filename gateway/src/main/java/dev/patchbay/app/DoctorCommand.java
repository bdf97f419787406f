package dev.patchbay.app;

import dev.patchbay.config.ConfigFile;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.ConfigReader;
import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.doctor.Doctor;
import dev.patchbay.doctor.Severity;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code patchbay doctor}: why a server or a tool does not work, and what to do about it. */
@Command(
        name = "doctor",
        description = "Find out why a server or a tool does not work.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private static final Duration STEP_MAX = Duration.ofSeconds(3);

    private final Context context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "TOOL",
            description = "The tool to ask about. Without it: all servers.")
    private @Nullable String tool;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DoctorCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<Path> file = new ConfigLocator(context.surroundings()).find(config.file);
        var found = new ArrayList<Diagnosis>();
        boolean readable = true;
        if (file.isPresent()) {
            var reader = new ConfigReader(context.surroundings().environment());
            ConfigFile read = reader.read(file.get());
            found.addAll(Doctor.examine(file.get(), read));
            readable = read instanceof ConfigFile.Valid;
        }
        DoctorReport.Health health = readable ? visit(found, file.orElse(null)) : null;
        var report = new DoctorReport(context.terminal(), file.orElse(null), found, health);
        if (json) {
            report.printJson(tool);
        } else {
            report.print(tool);
        }
        return exit(readable, found);
    }

    private static int exit(boolean readable, List<Diagnosis> found) {
        if (!readable) {
            return Exit.WRONG_USAGE;
        }
        boolean ill = found.stream().anyMatch(it -> it.severity() == Severity.ERROR);
        return ill ? Exit.FAILED : Exit.OK;
    }

    private DoctorReport.Health visit(List<Diagnosis> found, @Nullable Path file)
            throws InterruptedException {
        var doctor = new Doctor(context.surroundings(), STEP_MAX);
        try (Workspace workspace = Workspace.visit(context, file)) {
            if (tool == null) {
                workspace.discoverQuietly(null);
                found.addAll(doctor.examineHosts(workspace.settings().names(), file));
                found.addAll(doctor.examine(workspace.gateway()));
            } else {
                workspace.discoverQuietly(tool);
                found.clear();
                found.addAll(doctor.examineTool(workspace.gateway(), tool));
            }
            return DoctorReport.Health.of(workspace.gateway());
        }
    }
}

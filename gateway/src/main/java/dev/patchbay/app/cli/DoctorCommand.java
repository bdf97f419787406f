package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ConfiguredGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.doctor.DiagnosisSeverity;
import dev.patchbay.doctor.Doctor;

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
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(3);

    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "TOOL",
            description = "The tool to ask about. Without it: all servers.")
    private @Nullable String tool;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DoctorCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        ConfigSource source = ConfigSource.find(context, config.file);
        Optional<Path> file = source.file();
        var found = new ArrayList<Diagnosis>();
        boolean readable = true;
        boolean valid = true;
        if (file.isPresent()) {
            ConfigReadResult read = source.read();
            found.addAll(Doctor.examine(file.get(), read));
            readable = read instanceof ConfigReadResult.Valid;
            valid = !read.hasErrors();
        }
        DoctorReport.Totals health = readable ? diagnose(found, source) : null;
        var report = new DoctorReport(context.terminal(), file.orElse(null), found, health);
        if (json) {
            report.printJson(tool);
        } else {
            report.print(tool);
        }
        return exitCode(valid, found);
    }

    private static int exitCode(boolean valid, List<Diagnosis> found) {
        if (!valid) {
            return ExitCode.WRONG_USAGE;
        }
        boolean ill = found.stream().anyMatch(it -> it.severity() == DiagnosisSeverity.ERROR);
        return ill ? ExitCode.FAILED : ExitCode.OK;
    }

    private DoctorReport.Totals diagnose(List<Diagnosis> found, ConfigSource source)
            throws InterruptedException {
        try (ConfiguredGateway workspace = ConfiguredGateway.openForDiagnosis(context, source)) {
            var doctor = new Doctor(context.environment(), STEP_TIMEOUT, workspace.secrets());
            if (tool == null) {
                workspace.discoverQuietly(null);
                Path file = source.file().orElse(null);
                found.addAll(doctor.examineHosts(workspace.settings().names(), file));
                found.addAll(doctor.examine(workspace.gateway()));
            } else {
                workspace.discoverQuietly(tool);
                found.clear();
                found.addAll(doctor.examineTool(workspace.gateway(), tool));
            }
            return DoctorReport.Totals.of(workspace.gateway());
        }
    }
}

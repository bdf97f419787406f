package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.doctor.DiagnosisSeverity;
import dev.patchbay.doctor.Doctor;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;

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

/** {@code patchbay doctor}: explains why a server or a tool does not work, and what to do. */
@Command(
        name = "doctor",
        description = "Explain why a server or a tool does not work, and what to do.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer>, GatewayCommand {
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(3);

    private final AppContext context;

    @Mixin private GatewayOptions config = new GatewayOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "A tool or a server to examine. Default: all servers.")
    private @Nullable String name;

    /** Whether the name is that of a server. */
    private boolean isServer;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    DoctorCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
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
        var subject = new DoctorReport.Subject(name, isServer);
        var report =
                new DoctorReport(context.terminal(), file.orElse(null), subject, found, health);
        if (json) {
            report.printJson();
        } else {
            report.print();
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
        try (CommandGateway configured = CommandGateway.openForDiagnosis(context, source)) {
            var doctor = new Doctor(context.environment(), STEP_TIMEOUT, configured.secrets());
            if (name == null) {
                configured.discover(DiscoveryRequest.ALL);
                Path file = source.file().orElse(null);
                found.addAll(doctor.examineHosts(configured.settings().names(), file));
                found.addAll(doctor.examine(configured.gateway()));
            } else {
                found.clear();
                found.addAll(examine(name, doctor, configured));
            }
            return DoctorReport.Totals.of(configured.gateway());
        }
    }

    /** Examines the server or the tool with this name. A server's id takes precedence. */
    private List<Diagnosis> examine(String subject, Doctor doctor, CommandGateway configured)
            throws InterruptedException {
        Gateway gateway = configured.gateway();
        isServer = gateway.servers().stream().anyMatch(it -> hasId(it, subject));
        if (!isServer) {
            configured.discoverServerOf(subject);
            return doctor.examineTool(gateway, subject);
        }
        configured.discover(new DiscoveryRequest(List.of(subject), false, false));
        var found = new ArrayList<Diagnosis>();
        for (ServerReport server : gateway.servers()) {
            if (hasId(server, subject)) {
                found.addAll(doctor.examine(server));
            }
        }
        return found;
    }

    private static boolean hasId(ServerReport server, String id) {
        return server.spec().id().value().equals(id);
    }
}

package dev.patchbay.doctor;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.Environment;
import dev.patchbay.config.Finding;
import dev.patchbay.config.PatchbaySettings.Names;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.hosts.HostFinder;
import dev.patchbay.config.hosts.InstallationFinder;
import dev.patchbay.config.hosts.InstallationFinder.Installation;
import dev.patchbay.config.hosts.McpHost;
import dev.patchbay.config.read.LiteralSecrets;
import dev.patchbay.doctor.Diagnosis.Subject;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.server.SecretResolver;
import dev.patchbay.server.ServerSpec;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Explains why servers and tools do not work. It uses what the gateway knows about its servers, and
 * examines program files and URLs itself. It starts no program and calls no tool.
 */
public final class Doctor {
    private static final Comparator<Diagnosis> WORST_FIRST =
            Comparator.comparing(Diagnosis::severity);

    private final Environment environment;
    private final Duration stepTimeout;
    private final SecretResolver secrets;

    /**
     * Creates a doctor.
     *
     * @param patience the timeout of each step when a URL is examined; zero to examine no URLs
     */
    public Doctor(Environment environment, Duration patience, SecretResolver secrets) {
        this.environment = environment;
        this.stepTimeout = patience;
        this.secrets = secrets;
    }

    /** All problems of a gateway's servers, the most severe first. */
    public List<Diagnosis> examine(Gateway gateway) throws InterruptedException {
        var found = new ArrayList<Diagnosis>();
        List<ServerReport> servers = gateway.servers();
        if (servers.isEmpty()) {
            found.add(
                    Diagnosis.of(
                            Cause.NO_SERVERS,
                            Subject.ALL,
                            "No server is configured.",
                            List.of(),
                            "Add one: patchbay add ID -- COMMAND; or import yours: patchbay"
                                    + " import claude-desktop"));
        }
        for (List<Diagnosis> each : examineAll(servers)) {
            found.addAll(each);
        }
        found.addAll(OfferingCheck.nameClashes(gateway));
        found.addAll(OfferingCheck.filterDiagnoses(gateway));
        return sorted(found);
    }

    /** Examines the servers concurrently, because each may wait for a network. */
    private List<List<Diagnosis>> examineAll(List<ServerReport> servers)
            throws InterruptedException {
        var found = new ArrayList<List<Diagnosis>>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var checks = new ArrayList<Callable<List<Diagnosis>>>();
            servers.forEach(server -> checks.add(() -> examine(server)));
            for (Future<List<Diagnosis>> exam : executor.invokeAll(checks)) {
                found.add(exam.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A check returns what it finds", e);
        }
        return found;
    }

    /** All problems of one server. */
    public List<Diagnosis> examine(ServerReport server) throws InterruptedException {
        return sorted(new ServerCheck(server, environment, stepTimeout, secrets).run());
    }

    /** Why a tool cannot be called by this name; empty if it can. */
    public List<Diagnosis> examineTool(Gateway gateway, String name) throws InterruptedException {
        return new ToolNameCheck(gateway, this, name).run();
    }

    /** The errors and warnings of a configuration file. */
    public static List<Diagnosis> examine(Path file, ConfigReadResult read) {
        var found = new ArrayList<Diagnosis>();
        var findings = new ArrayList<>(read.findings());
        findings.addAll(LiteralSecrets.findIn(file));
        for (Finding finding : findings) {
            // A server tells the faults of its entry itself, where there are servers.
            boolean toldLater =
                    read instanceof ConfigReadResult.Valid(Configuration configuration, _)
                            && isReportedByServer(finding, file, configuration);
            if (finding.severity() != Finding.Severity.NOTICE && !toldLater) {
                found.add(diagnoseFinding(causeOf(finding), file, finding));
            }
        }
        return sorted(found);
    }

    private static boolean isReportedByServer(
            Finding finding, Path file, Configuration configuration) {
        String place = file + ":" + finding.position();
        return finding.kind() == Finding.Kind.SERVER_VARIABLE
                || finding.kind() == Finding.Kind.NOT_TRUSTED
                || configuration.servers().stream().anyMatch(it -> hasFaultAt(it, place));
    }

    private static boolean hasFaultAt(ServerSpec server, String place) {
        return server.enabled()
                && server.transport() instanceof ServerSpec.Transport.Invalid invalid
                && invalid.faults().stream().anyMatch(it -> it.place().equals(place));
    }

    private static Cause causeOf(Finding finding) {
        return switch (finding.kind()) {
            case MISSING_VARIABLE, SERVER_VARIABLE -> Cause.VARIABLE_MISSING;
            default -> finding.isError() ? Cause.CONFIG_FAULT : Cause.CONFIG_DOUBTFUL;
        };
    }

    private static Diagnosis diagnoseFinding(Cause cause, Path file, Finding finding) {
        return Diagnosis.of(
                cause,
                new Subject("", finding.path()),
                finding.problem() + ".",
                List.of(file + ":" + finding.position()),
                finding.remedy() + ".");
    }

    /** The hosts that use this configuration and would hide tools, or show them twice. */
    public List<Diagnosis> examineHosts(Names names, @Nullable Path config) {
        var found = new ArrayList<Diagnosis>();
        var hosts = EnumSet.noneOf(McpHost.class);
        for (Installation installed : new InstallationFinder(environment).find(config)) {
            if (names == Names.DOTTED
                    && installed.host().rejectsDotsInNames()
                    && !installed.setsNames()) {
                found.add(
                        Diagnosis.of(
                                Cause.HOST_REJECTS_NAMES,
                                new Subject("", installed.host().cliName()),
                                "This host hides every tool when the name of one has a dot, and"
                                        + " names is \"dotted\".",
                                List.of(installed.file() + " starts Patchbay"),
                                "Write \"names\": \"auto\" or \"safe\" under patchbay in the"
                                        + " configuration."));
            }
            // In the home folder, the project's file is the user's file.
            if (config != null && hosts.add(installed.host())) {
                found.addAll(examineCopies(installed, config));
            }
        }
        return found;
    }

    private List<Diagnosis> examineCopies(Installation installed, Path config) {
        List<String> copies = new HostFinder(environment).findCopies(installed.host(), config);
        return copies.isEmpty()
                ? List.of()
                : List.of(
                        Diagnosis.of(
                                Cause.HOST_HAS_COPIES,
                                new Subject("", installed.host().cliName()),
                                "This host has Patchbay and its own copies of servers, so their"
                                        + " tools appear twice.",
                                List.of(
                                        installed.file()
                                                + " has "
                                                + SanitizedText.sanitize(
                                                        String.join(", ", copies))),
                                "Take them out of the host: patchbay adopt "
                                        + installed.host().cliName()));
    }

    private static List<Diagnosis> sorted(List<Diagnosis> found) {
        return found.stream().sorted(WORST_FIRST).toList();
    }
}

package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.config.AtomicFile;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.read.ProjectServers;
import dev.patchbay.config.read.ProjectServers.WrittenServer;
import dev.patchbay.text.DisplayText;
import dev.patchbay.trust.ApprovedProject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code patchbay trust}: shows what a project's servers would run, and approves them. */
@Command(
        name = "trust",
        description =
                "Review the servers that a project's configuration file would start, and approve"
                        + " them. A server that changes later must be approved again.",
        mixinStandardHelpOptions = true)
final class TrustCommand implements Callable<Integer> {
    private final AppContext context;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "The project's file. Default: the one in the working directory.")
    private @Nullable Path file;

    @Option(names = "--yes", description = "Approve without asking.")
    private boolean yes;

    @Option(names = "--list", description = "List the approved files and servers.")
    private boolean list;

    @Option(names = "--revoke", description = "Withdraw the approval of the file.")
    private boolean revoke;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    TrustCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        if ((list && (revoke || yes || file != null)) || (revoke && yes)) {
            throw wrongUsage("Use one of --list, --revoke and --yes.");
        }
        var report = new TrustReport(context, json);
        if (list) {
            report.printList(ConfigSource.trustStore(context).all());
            return ExitCode.OK;
        }
        Path project = projectFile();
        if (revoke) {
            boolean revoked = ConfigSource.project(context, project).revoke();
            report.printChange(project, revoked ? "Revoked" : "Was not trusted", revoked);
            return ExitCode.OK;
        }
        return approve(project, report);
    }

    private Path projectFile() {
        if (file != null) {
            return context.environment().workingDirectory().resolve(file).normalize();
        }
        var locator = new ConfigLocator(context.environment());
        return locator.find(null)
                .filter(found -> locator.isProjectFile(found, null))
                .orElseThrow(
                        () ->
                                wrongUsage(
                                        "There is no patchbay.json or .mcp.json in this directory."
                                                + " Name the file: patchbay trust FILE"));
    }

    private int approve(Path project, TrustReport report) throws IOException {
        ApprovedProject approvals = ConfigSource.project(context, project);
        byte[] bytes = AtomicFile.readIfExists(project, ConfigReader.FILE_BYTES_MAX);
        if (bytes == null) {
            throw new NoSuchFileException(project.toString());
        }
        String problem = approvals.problem();
        if (problem != null) {
            throw new CommandFailedException(ExitCode.FAILED, problem + ". Nothing was trusted.");
        }
        requireValid(project, bytes);
        List<WrittenServer> servers = ProjectServers.read(AtomicFile.decodeUtf8(bytes));
        Map<String, String> approved = approvals.approved();
        report.printServers(project, servers, approved);
        Map<String, String> wanted = new LinkedHashMap<>();
        servers.forEach(server -> wanted.put(server.key(), server.fingerprint()));
        if (wanted.equals(approved)) {
            report.printResult(project, servers, approved, false);
            return ExitCode.OK;
        }
        if (json && !yes) {
            report.printResult(project, servers, approved, false);
        }
        if (!yes && !isConfirmed(servers.size())) {
            throw new CommandFailedException(ExitCode.FAILED, "Nothing was trusted.");
        }
        approvals.approveOnly(wanted);
        report.printResult(project, servers, approved, true);
        return ExitCode.OK;
    }

    private void requireValid(Path project, byte[] bytes) {
        ConfigReadResult read = new ConfigReader(context.environment().variables()).read(bytes);
        if (read.hasErrors()) {
            String name = DisplayText.escape(project.toString());
            read.errors().forEach(finding -> context.terminal().printMessage(name + ":" + finding));
            throw wrongUsage(
                    "%d errors in %s. Fix them and run the command again."
                            .formatted(read.errors().size(), name));
        }
    }

    /** Asks for confirmation; fails without a terminal. */
    private boolean isConfirmed(int servers) throws IOException {
        if (!context.terminal().isInteractive()) {
            throw wrongUsage(
                    "There is no terminal to ask on. Review the servers above, then run the command"
                            + " again with --yes.");
        }
        String question =
                servers == 1 ? "Trust this server" : "Trust these " + servers + " servers";
        return Confirmation.isGiven(context, question);
    }

    private static CommandFailedException wrongUsage(String message) {
        return new CommandFailedException(ExitCode.WRONG_USAGE, message);
    }
}

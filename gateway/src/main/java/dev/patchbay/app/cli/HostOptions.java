package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.Finding;
import dev.patchbay.config.hosts.HostFile;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.InstallPlan;
import dev.patchbay.config.hosts.Installer;
import dev.patchbay.config.hosts.McpHost;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What the commands that edit a host's configuration have in common. */
final class HostOptions {
    @Parameters(
            paramLabel = "HOST",
            description = "claude-desktop, claude-code, cursor, vscode or codex.")
    private String name;

    @Option(names = "--project", description = "The file of this folder, not the user's own.")
    private boolean project;

    @Option(names = "--dry-run", description = "Show what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    McpHost host() {
        return McpHost.byCliName(name)
                .orElseThrow(
                        () ->
                                new CommandFailedException(
                                        ExitCode.WRONG_USAGE,
                                        "'%s' is no host that Patchbay knows. It knows %s."
                                                .formatted(name, hostNames())));
    }

    /** The hosts, as they are written on the command line. */
    static String hostNames() {
        return Arrays.stream(McpHost.values())
                .map(McpHost::cliName)
                .collect(Collectors.joining(", "));
    }

    Scope scope() {
        if (project && host() == McpHost.CLAUDE_DESKTOP) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    "Claude Desktop keeps no list of servers in a project. Leave --project out.");
        }
        return project ? Scope.PROJECT : Scope.USER;
    }

    Installer installer(AppContext context) {
        return new Installer(context.environment(), InstantSource.system());
    }

    /** Shows what a plan changes and, unless it is a dry run, changes it. */
    int apply(AppContext context, Installer installer, InstallPlan plan) throws IOException {
        Terminal terminal = context.terminal();
        if (plan instanceof InstallPlan.Refused(HostFile file, List<Finding> findings)) {
            findings.forEach(finding -> terminal.printMessage(file.path() + ":" + finding));
            throw new CommandFailedException(ExitCode.FAILED, file.path() + " was not changed.");
        }
        InstallReport report =
                json ? new InstallReport.AsJson(terminal) : new InstallReport.AsText(terminal);
        switch (plan) {
            case InstallPlan.Change change when !dryRun -> {
                report.reportPlanned(change);
                report.reportDone(change, installer.apply(change));
            }
            case InstallPlan.Change change -> report.reportDryRun(change);
            case InstallPlan.NoChange(HostFile file) -> report.reportNoChange(file.path());
            case InstallPlan.Refused refused -> throw new AssertionError(refused);
        }
        return ExitCode.OK;
    }
}

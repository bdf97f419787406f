package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.Finding;
import dev.patchbay.config.hosts.HostFile;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.HostFileLocator;
import dev.patchbay.config.hosts.InstallPlan;
import dev.patchbay.config.hosts.Installer;
import dev.patchbay.config.hosts.McpHost;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/** The options of {@code install} and {@code uninstall}. */
final class HostEditOptions {
    @Parameters(
            arity = "0..1",
            paramLabel = "HOST",
            completionCandidates = HostNames.class,
            description =
                    "The host: " + HostNames.LIST + ". Default: show the hosts on this machine.")
    private @Nullable String name;

    @Option(
            names = "--project",
            description =
                    "Use the host's file in the working directory instead of the user's file.")
    private boolean project;

    @Option(names = "--dry-run", description = "Show what would change, but change nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    /** Whether a host is given. */
    boolean hasHost() {
        return name != null;
    }

    boolean isDryRun() {
        return dryRun;
    }

    boolean isJson() {
        return json;
    }

    McpHost host() {
        return hostNamed(name == null ? "" : name);
    }

    static McpHost hostNamed(String name) {
        return McpHost.byCliName(name)
                .orElseThrow(
                        () ->
                                new CommandFailedException(
                                        ExitCode.WRONG_USAGE,
                                        "Unknown host '%s'. Known hosts: %s."
                                                .formatted(name, HostNames.LIST)));
    }

    Scope scope(AppContext context) {
        var files = new HostFileLocator(context.environment());
        if (project && files.locate(host(), Scope.PROJECT).isEmpty()) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    host().displayName()
                            + " has no project configuration. Run the command without"
                            + " --project.");
        }
        return project ? Scope.PROJECT : Scope.USER;
    }

    Installer installer(AppContext context) {
        return new Installer(context.environment(), InstantSource.system());
    }

    /** Prints the plan and applies it, unless this is a dry run. */
    int apply(AppContext context, Installer installer, InstallPlan plan) throws IOException {
        Terminal terminal = context.terminal();
        if (plan instanceof InstallPlan.Refused(HostFile file, List<Finding> findings)) {
            findings.forEach(finding -> terminal.printMessage(file.path() + ":" + finding));
            throw new CommandFailedException(ExitCode.FAILED, file.path() + " was not changed.");
        }
        HostEditReport report =
                json
                        ? new HostEditReport.AsJson(terminal)
                        : new HostEditReport.AsText(terminal, host());
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

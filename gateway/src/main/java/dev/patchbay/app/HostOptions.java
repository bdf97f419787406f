package dev.patchbay.app;

import dev.patchbay.config.Finding;
import dev.patchbay.config.Host;
import dev.patchbay.config.HostFile;
import dev.patchbay.config.HostFile.Scope;
import dev.patchbay.config.HostPlan;
import dev.patchbay.config.Installer;

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

    Host host() {
        return Host.of(name)
                .orElseThrow(
                        () ->
                                new CommandFailed(
                                        Exit.WRONG_USAGE,
                                        "'%s' is no host that Patchbay knows. It knows %s."
                                                .formatted(name, words())));
    }

    /** The hosts, as they are written on the command line. */
    static String words() {
        return Arrays.stream(Host.values()).map(Host::word).collect(Collectors.joining(", "));
    }

    Scope scope() {
        if (project && host() == Host.CLAUDE_DESKTOP) {
            throw new CommandFailed(
                    Exit.WRONG_USAGE,
                    "Claude Desktop keeps no list of servers in a project. Leave --project out.");
        }
        return project ? Scope.PROJECT : Scope.USER;
    }

    Installer installer(Context context) {
        return new Installer(context.surroundings(), InstantSource.system());
    }

    /** Shows what a plan changes and, unless it is a dry run, changes it. */
    int carryOut(Context context, Installer installer, HostPlan plan) throws IOException {
        Terminal terminal = context.terminal();
        if (plan instanceof HostPlan.Refused(HostFile file, List<Finding> findings)) {
            findings.forEach(finding -> terminal.say(file.path() + ":" + finding));
            throw new CommandFailed(Exit.FAILED, file.path() + " was not changed.");
        }
        HostReport report =
                json ? new HostReport.AsJson(terminal) : new HostReport.AsText(terminal);
        switch (plan) {
            case HostPlan.Change change when !dryRun -> {
                report.before(change);
                report.after(change, installer.apply(change));
            }
            case HostPlan.Change change -> report.dry(change);
            case HostPlan.Nothing(HostFile file) -> report.nothing(file.path());
            case HostPlan.Refused refused -> throw new AssertionError(refused);
        }
        return Exit.OK;
    }
}

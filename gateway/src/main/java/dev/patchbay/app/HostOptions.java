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
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

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

    Host host() {
        return Host.of(name)
                .orElseThrow(
                        () ->
                                new CommandFailed(
                                        Exit.WRONG_USAGE,
                                        "'%s' is no host that Patchbay knows: %s"
                                                .formatted(name, words())));
    }

    private static List<String> words() {
        return Arrays.stream(Host.values()).map(Host::word).toList();
    }

    Scope scope() {
        return project ? Scope.PROJECT : Scope.USER;
    }

    Installer installer(Context context) {
        return new Installer(context.surroundings(), InstantSource.system());
    }

    /** Shows what a plan changes and, unless it is a dry run, changes it. */
    int carryOut(Context context, Installer installer, HostPlan plan) throws IOException {
        Terminal terminal = context.terminal();
        switch (plan) {
            case HostPlan.Nothing(HostFile file) -> {
                terminal.print("Nothing to change in " + file.path());
                return Exit.OK;
            }
            case HostPlan.Refused(HostFile file, List<Finding> findings) -> {
                findings.forEach(finding -> terminal.say(file.path() + ":" + finding));
                throw new CommandFailed(Exit.FAILED, file.path() + " was not changed.");
            }
            case HostPlan.Change change -> {
                terminal.print(change.action() + " in " + change.file().path() + ":");
                terminal.print(change.entryText());
                change.notes().forEach(terminal::say);
                if (dryRun) {
                    terminal.print("Nothing was changed.");
                    return Exit.OK;
                }
                Path backup = installer.apply(change);
                terminal.print("Changed " + change.file().path());
                if (backup != null) {
                    terminal.print("Backup: " + backup);
                }
                return Exit.OK;
            }
        }
    }
}

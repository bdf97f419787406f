package dev.patchbay.stdio;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A child and everything it started. If {@code setsid} is available, the child leads its own
 * process group, which can be signalled as a whole; otherwise its descendants are signalled one by
 * one.
 */
public final class ProcessGroup {
    private static final Optional<Path> SETSID =
            Stream.of("/usr/bin/setsid", "/bin/setsid")
                    .map(Path::of)
                    .filter(Files::isExecutable)
                    .findFirst();

    private final Process leader;
    private final ProcessReaper reaper;
    private final String target;
    private final boolean isLeaderMonitor;

    public ProcessGroup(Process leader, ProcessReaper janitor) {
        this(leader, janitor, false);
    }

    /**
     * @param isLeaderMonitor whether the leader only watches over the program, as in {@link
     *     ProcessLauncher#isMonitor}
     */
    ProcessGroup(Process leader, ProcessReaper janitor, boolean isLeaderMonitor) {
        this.leader = leader;
        this.isLeaderMonitor = isLeaderMonitor;
        this.reaper = janitor;
        this.target = (SETSID.isPresent() ? "-" : "") + leader.pid();
        janitor.register(target);
    }

    /** The command prefix that gives a child its own process group. */
    public static List<String> commandPrefix() {
        return SETSID.map(path -> List.of(path.toString())).orElse(List.of());
    }

    void terminate() {
        if (isLeaderMonitor) {
            leader.descendants().forEach(ProcessHandle::destroy);
            return;
        }
        reaper.terminate(target);
        if (SETSID.isEmpty()) {
            leader.descendants().forEach(ProcessHandle::destroy);
        }
        leader.destroy();
    }

    public void kill() {
        reaper.kill(target);
        if (SETSID.isEmpty() || isLeaderMonitor) {
            leader.descendants().forEach(ProcessHandle::destroyForcibly);
        }
        // Also without the reaper, and before the child leads its group.
        leader.destroyForcibly();
    }

    /** Kills what the leader left behind after its end. */
    public void killRemaining() {
        if (SETSID.isPresent()) {
            reaper.kill(target);
        }
        reaper.unregister(target);
    }
}

package dev.patchbay.stdio;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A child with everything it started. Where the {@code setsid} program is there, a child leads a
 * group of its own, which the janitor can signal as a whole; elsewhere the descendants are looked
 * for one by one.
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

    public ProcessGroup(Process leader, ProcessReaper janitor) {
        this.leader = leader;
        this.reaper = janitor;
        this.target = (SETSID.isPresent() ? "-" : "") + leader.pid();
        janitor.register(target);
    }

    /** The words before a command that give it a group of its own. */
    public static List<String> commandPrefix() {
        return SETSID.map(path -> List.of(path.toString())).orElse(List.of());
    }

    void terminate() {
        reaper.terminate(target);
        if (SETSID.isEmpty()) {
            leader.descendants().forEach(ProcessHandle::destroy);
        }
        leader.destroy();
    }

    public void kill() {
        reaper.kill(target);
        if (SETSID.isEmpty()) {
            leader.descendants().forEach(ProcessHandle::destroyForcibly);
        }
        // Also without the janitor's help, and before the child has come to lead its group.
        leader.destroyForcibly();
    }

    /** Kills what the leader left behind, once it has ended itself. */
    public void killRemaining() {
        if (SETSID.isPresent()) {
            reaper.kill(target);
        }
        reaper.unregister(target);
    }
}

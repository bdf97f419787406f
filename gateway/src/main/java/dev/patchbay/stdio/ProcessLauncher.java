package dev.patchbay.stdio;

import java.io.IOException;
import java.util.ArrayList;

/** Starts the process of a child, possibly confined. */
public interface ProcessLauncher {
    /** Starts a program without confinement, in its own process group. */
    ProcessLauncher DIRECT =
            builder -> {
                var words = new ArrayList<>(ProcessGroup.commandPrefix());
                words.addAll(builder.command());
                return FileDescriptorBudget.startProcess(builder.command(words));
            };

    /**
     * Starts a program as the leader of its own process group.
     *
     * @param builder the program with its arguments, environment and working directory
     */
    Process launch(ProcessBuilder builder) throws IOException;

    /**
     * Whether the started process only watches over the program, which is one of its descendants. A
     * signal that asks the program to end must then not reach this process, whose end would kill
     * the program.
     */
    default boolean isMonitor() {
        return false;
    }
}

package dev.patchbay.daemon;

/** What became of a command that was to run in the daemon. */
public sealed interface CommandOutcome {
    /** There is no daemon, or it has no gateway for the command. Nothing happened. */
    record NotRun() implements CommandOutcome {}

    /** The command has ended. */
    record Ended(int exitCode) implements CommandOutcome {}

    /** The daemon ended before the command did. */
    record Lost(boolean hasOutput) implements CommandOutcome {}
}

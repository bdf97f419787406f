package dev.patchbay.app;

import dev.patchbay.stdio.StandardStreams;

/** The entry of the program. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        // Standard output belongs to the protocol: whatever else prints must not reach it.
        StandardStreams streams = StandardStreams.take();
        System.exit(run(args, streams));
    }

    /** Runs a command. Those that hosts start go without the command line's library, for speed. */
    private static int run(String[] args, StandardStreams streams) throws InterruptedException {
        if (args.length > 0 && args[0].equals("stdio")) {
            return new StdioServing(new NoServers(), streams).serve();
        }
        return new CommandLine(streams).run(args);
    }
}

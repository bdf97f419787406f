package dev.patchbay.app;

import dev.patchbay.stdio.StandardStreams;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The commands that people type. */
final class CommandLine {
    private final PrintStream out;

    CommandLine(StandardStreams streams) {
        out = new PrintStream(streams.out(), false, StandardCharsets.UTF_8);
    }

    int run(String[] args) {
        if (args.length == 1 && args[0].equals("--version")) {
            out.println("patchbay " + Product.version());
            out.flush();
            return Exit.OK;
        }
        System.err.println("usage: patchbay stdio | --version");
        return Exit.WRONG_USAGE;
    }
}

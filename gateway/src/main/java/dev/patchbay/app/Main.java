package dev.patchbay.app;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The entry of the program. */
public final class Main {
    private static final int OK = 0;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    public static void main(String[] args) {
        // Standard output belongs to the protocol: whatever else prints must not reach it.
        System.setOut(System.err);
        System.exit(run(args));
    }

    private static int run(String[] args) {
        if (args.length == 1 && args[0].equals("--version")) {
            try (var out = standardOutput()) {
                out.println("patchbay " + version());
            }
            return OK;
        }
        System.err.println("usage: patchbay --version");
        return WRONG_USAGE;
    }

    private static PrintStream standardOutput() {
        return new PrintStream(
                new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    }

    private static String version() {
        var version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}

package dev.patchbay.app.wiring;

import dev.patchbay.mcp.Implementation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the program is called, to people and to peers. */
public final class ProductInfo {
    /** By name: this package is below that of the main class. */
    private static final String MAIN_CLASS = "dev.patchbay.app.Main";

    private ProductInfo() {}

    public static String version() {
        String version = ProductInfo.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    static Implementation identity() {
        return new Implementation("patchbay", version());
    }

    /** The script that starts this program; it must have been started by that. */
    public static Path launcher() {
        String launcher = System.getProperty("patchbay.launcher");
        if (launcher == null) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "Start Patchbay by its launcher, so that it knows where that is.");
        }
        return Path.of(launcher);
    }

    /** The command line that starts this program with other arguments. */
    static List<String> launchCommand(String... args) {
        var command = new ArrayList<String>();
        String launcher = System.getProperty("patchbay.launcher");
        if (launcher != null) {
            command.add(launcher);
        } else {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add(MAIN_CLASS);
        }
        command.addAll(List.of(args));
        return command;
    }
}

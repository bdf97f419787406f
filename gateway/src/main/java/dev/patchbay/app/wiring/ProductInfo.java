package dev.patchbay.app.wiring;

import dev.patchbay.mcp.Implementation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The name, version and launcher of the program. */
public final class ProductInfo {
    /** A name, because this package must not depend on that of the main class. */
    private static final String MAIN_CLASS = "dev.patchbay.app.Main";

    private ProductInfo() {}

    public static String version() {
        String version = ProductInfo.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    static Implementation identity() {
        return new Implementation("patchbay", version());
    }

    /** The script that started this program. */
    public static Path launcher() {
        String launcher = System.getProperty("patchbay.launcher");
        if (launcher == null) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "Start Patchbay with its launcher script, patchbay, so that its path is"
                            + " known.");
        }
        return Path.of(launcher).toAbsolutePath().normalize();
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

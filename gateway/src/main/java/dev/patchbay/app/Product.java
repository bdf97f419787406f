package dev.patchbay.app;

import dev.patchbay.mcp.Implementation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the program is called, to people and to peers. */
final class Product {
    private Product() {}

    static String version() {
        String version = Product.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    static Implementation identity() {
        return new Implementation("patchbay", version());
    }

    /** The script that starts this program; it must have been started by that. */
    static Path launcher() {
        String launcher = System.getProperty("patchbay.launcher");
        if (launcher == null) {
            throw new CommandFailed(
                    Exit.FAILED, "Start Patchbay by its launcher, so that it knows where that is.");
        }
        return Path.of(launcher);
    }

    /** The command line that starts this program with other arguments. */
    static List<String> command(String... args) {
        var command = new ArrayList<String>();
        String launcher = System.getProperty("patchbay.launcher");
        if (launcher != null) {
            command.add(launcher);
        } else {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add(Main.class.getName());
        }
        command.addAll(List.of(args));
        return command;
    }
}

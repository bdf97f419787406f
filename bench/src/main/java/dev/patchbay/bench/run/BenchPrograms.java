package dev.patchbay.bench.run;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The programs that measure and those that are measured, as far as this machine has them. */
record BenchPrograms(Path root, Path launcher) {
    private static final List<String> SHARED = List.of("common.c");

    Path loadClient() {
        return nativeProgram("benchload");
    }

    Path server() {
        return nativeProgram("benchserver");
    }

    Path relay() {
        return nativeProgram("benchrelay");
    }

    private Path nativeProgram(String name) {
        return root.resolve("bench", "target", "native", name);
    }

    /** Compiles the programs in C anew: it takes a second. */
    void compilePrograms() throws IOException, InterruptedException {
        Files.createDirectories(loadClient().getParent());
        var load = List.of("benchload.c", "calls.c", "process.c", "stdioload.c", "httpload.c");
        compile(loadClient(), load);
        compile(server(), List.of("benchserver.c", "serverhttp.c"));
        compile(relay(), List.of("benchrelay.c"));
    }

    private void compile(Path program, List<String> sources)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("cc", "-O2", "-o", program.toString()));
        Stream.concat(sources.stream(), SHARED.stream())
                .map(source -> root.resolve("bench", "native", source).toString())
                .forEach(command::add);
        try {
            if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
                throw new IOException("a program of bench/native does not compile");
            }
        } catch (IOException e) {
            throw new IOException("bench/run needs a C compiler named cc: " + e.getMessage(), e);
        }
    }

    /** Installs what a folder of bench takes from npm, if npm is there and it was not done yet. */
    void installFromNpm(String name) throws IOException, InterruptedException {
        var folder = root.resolve("bench", name);
        if (Files.exists(folder.resolve("node_modules")) || onPath("npm").isEmpty()) {
            return;
        }
        System.err.println("bench: installing bench/" + name + " from npm, this once");
        var command = List.of("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
        var npm = new ProcessBuilder(command).directory(folder.toFile());
        npm.redirectErrorStream(true).redirectOutput(Redirect.DISCARD);
        if (npm.start().waitFor() != 0) {
            System.err.println("bench: npm could not install it; it is left out");
        }
    }

    /** A script below bench that needs Node, with the program that runs it. */
    Optional<List<String>> nodeCommand(String folder, String script) {
        var home = root.resolve("bench", folder);
        var file = home.resolve(script);
        if (!Files.exists(home.resolve("node_modules")) || !Files.exists(file)) {
            return Optional.empty();
        }
        return onPath("node").map(node -> List.of(node.toString(), file.toString()));
    }

    Optional<Path> nginx() {
        return onPath("nginx");
    }

    private static Optional<Path> onPath(String program) {
        return Stream.of((System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin").split(":"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}

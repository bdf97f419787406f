package dev.patchbay.conformance.fleet;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.patchbay.conformance.ecosystem.TestInstallation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A folder in which the scripts of these tests, copied from the resources, can use the npm
 * packages. Programs run with this folder as their home and only PATH from the environment.
 */
final class NodeScripts implements AutoCloseable {
    private final NpmPackages packages;
    private final Path folder;
    private final Path modulesLink;

    NodeScripts(NpmPackages parts, Path folder) throws IOException {
        this.packages = parts;
        this.folder = folder;
        this.modulesLink = folder.resolve("node_modules");
        Files.createSymbolicLink(modulesLink, parts.modulePath(""));
    }

    /** Exit status and output of a program. */
    record ProcessResult(int status, String out, String err) {
        @Override
        public String toString() {
            return "status " + status + "\n" + out + "\n" + err;
        }
    }

    Path folder() {
        return folder;
    }

    /** Copies a resource into the folder. */
    Path copyResource(String name) throws IOException {
        Path copy = folder.resolve(name);
        if (!Files.exists(copy)) {
            try (InputStream resource = NodeScripts.class.getResourceAsStream("/fleet/" + name)) {
                Files.copy(Objects.requireNonNull(resource, name), copy);
            }
        }
        return copy;
    }

    /** The command that runs one of these scripts in Node. */
    List<String> nodeCommand(String script, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(packages.node(), copyResource(script).toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Runs a command; fails and kills it if it does not end in time. */
    ProcessResult run(List<String> command, Map<String, String> variables, Duration patience)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment());
        builder.environment().putAll(variables);
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(patience.toNanos(), NANOSECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("Did not end: " + command + "\n" + Files.readString(err));
        }
        return new ProcessResult(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Removes the link to the packages, so that deleting the folder does not follow it. */
    @Override
    public void close() throws IOException {
        Files.delete(modulesLink);
    }

    private Map<String, String> environment() {
        String node = packages.node();
        String path = System.getenv("PATH");
        try {
            return Map.of(
                    "PATH", node.equals("node") ? path : Path.of(node).getParent() + ":" + path,
                    "HOME", folder.toString(),
                    "PATCHBAY", TestInstallation.program().launcherCommand().getFirst(),
                    "JAVA_HOME", System.getProperty("java.home"),
                    "TMPDIR", Files.createDirectories(folder.resolve("tmp")).toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

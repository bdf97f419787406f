import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.StringJoiner;

/**
 * Makes the AOT cache of the packaged program, by running it through a short session with two
 * servers. The program works without the cache, only starting slower, so that nothing that goes
 * wrong here is an error.
 */
final class TrainAot {
    private static final long SESSION_SECONDS_MAX = 60;

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Path root;
    private final Path jar;
    private final Path folder;

    private TrainAot(Path root, Path product) {
        this.root = root.toAbsolutePath().normalize();
        this.jar = product.resolve("lib", "patchbay.jar");
        this.folder = product.resolve("aot");
    }

    public static void main(String[] args) {
        try {
            new TrainAot(Path.of(args[0]), Path.of(args[1]).toAbsolutePath()).train();
        } catch (IOException | InterruptedException | RuntimeException e) {
            System.err.println("No AOT cache was made: " + e);
        }
    }

    private void train() throws IOException, InterruptedException {
        // The launcher computes the same name.
        var seconds = Files.getLastModifiedTime(jar).to(SECONDS);
        var cache = folder.resolve(Files.size(jar) + "-" + seconds + ".aot");
        if (Files.exists(cache)) {
            return;
        }
        empty(folder);
        var fresh = folder.resolve("fresh.aot");
        // The first session leaves the lists of its servers behind. The second is recorded: it
        // knows two servers already and meets two others for the first time.
        runSession("-XX:TieredStopAtLevel=1", List.of("legacy", "modern"));
        var known = List.of("legacy", "modern", "legacy-new", "modern-new");
        runSession("-XX:AOTCacheOutput=" + fresh, known);
        if (Files.exists(fresh)) {
            // The launcher looks here first for a JDK: the cache fits no other.
            Files.writeString(folder.resolve("jdk"), System.getProperty("java.home") + "\n");
            Files.move(fresh, cache, StandardCopyOption.ATOMIC_MOVE);
        } else {
            System.err.println("No AOT cache was made: the training run left none.");
        }
    }

    /** Removes what former builds left, so that caches do not pile up. */
    private static void empty(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (var old = Files.newDirectoryStream(folder, "*.aot*")) {
            for (var file : old) {
                Files.delete(file);
            }
        }
    }

    private void runSession(String option, List<String> servers)
            throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(
                        List.of(
                                JAVA,
                                "@" + root.resolve("build", "jvm.options"),
                                option,
                                "-cp",
                                jar.toString(),
                                "dev.patchbay.app.Main",
                                "stdio",
                                "--config",
                                configuration(servers).toString()));
        builder.redirectInput(root.resolve("build", "training.jsonl").toFile());
        builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
        isolate(builder);
        var process = builder.start();
        if (!process.waitFor(SESSION_SECONDS_MAX, SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    /** Writes a configuration with servers of these names, each of the era its name begins with. */
    private Path configuration(List<String> servers) throws IOException {
        var program = root.resolve("build", "TrainServer.java").toString();
        var entries = new StringJoiner(",\n", "{\"mcpServers\": {\n", "}}\n");
        for (var name : servers) {
            entries.add(
                    "\"%s\": {\"command\": \"%s\", \"args\": [\"%s\", \"%s\"]}"
                            .formatted(name, quoted(JAVA), quoted(program), name));
        }
        return Files.writeString(folder.resolve("training.json"), entries.toString());
    }

    private static String quoted(String path) {
        return path.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** Lets the session see neither the user's configuration nor the user's state. */
    private void isolate(ProcessBuilder builder) throws IOException {
        var home = Files.createDirectories(folder.resolve("home"));
        builder.directory(home.toFile());
        builder.environment().put("HOME", home.toString());
        for (var name : List.of("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")) {
            builder.environment().remove(name);
        }
    }
}

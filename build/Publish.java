import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Publishes a build: copies its jars to a folder of its own, named after its content, and then lets
 * {@code builds/current} name that folder. Maven writes its jars in place, which would break every
 * running program; a published jar is never written again. Folders of former builds are removed
 * when no process uses them any more.
 */
final class Publish {
    private static final int KEY_BYTES = 8;
    private static final int BUILDS_KEPT = 2;

    private final Path lib;
    private final Path builds;

    Publish(Path product) {
        this.lib = product.resolve("lib");
        this.builds = product.resolve("builds");
    }

    public static void main(String[] args) throws IOException {
        new Publish(Path.of(args[0]).toAbsolutePath().normalize()).run();
    }

    /** Publishes the jars, and returns the folder that they are in. */
    Path run() throws IOException {
        String key = key(lib.resolve("patchbay.jar"));
        Path folder = builds.resolve(key);
        Files.createDirectories(builds);
        if (Files.isDirectory(folder)) {
            addTo(folder);
        } else {
            Path fresh = Files.createTempDirectory(builds, "new");
            addTo(fresh);
            Files.move(fresh, folder, ATOMIC_MOVE);
        }
        Path current = Files.createTempFile(builds, "new", "");
        Files.writeString(current, key + "\n");
        Files.move(current, builds.resolve("current"), ATOMIC_MOVE);
        removeUnused(folder);
        return folder;
    }

    /** Copies what is missing or has changed: the jar of the REPL is made after the gateway's. */
    private void addTo(Path folder) throws IOException {
        try (Stream<Path> jars = Files.list(lib)) {
            for (Path jar : jars.filter(it -> it.toString().endsWith(".jar")).toList()) {
                Path copy = folder.resolve(jar.getFileName().toString());
                if (!Files.exists(copy) || Files.mismatch(jar, copy) >= 0) {
                    Path fresh = Files.createTempFile(folder, "new", "");
                    Files.copy(jar, fresh, REPLACE_EXISTING, COPY_ATTRIBUTES);
                    Files.move(fresh, copy, ATOMIC_MOVE);
                }
            }
        }
    }

    private static String key(Path jar) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
            return HexFormat.of().formatHex(digest, 0, KEY_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void removeUnused(Path current) throws IOException {
        var others = new ArrayList<Path>();
        try (Stream<Path> all = Files.list(builds)) {
            all.filter(it -> Files.isDirectory(it) && !it.equals(current)).forEach(others::add);
        }
        others.sort(Comparator.comparing((Path it) -> it.toFile().lastModified()).reversed());
        List<String> commands =
                ProcessHandle.allProcesses()
                        .map(it -> it.info().commandLine().orElse(""))
                        .filter(it -> it.contains("patchbay.jar"))
                        .toList();
        for (Path old : others.subList(Math.min(BUILDS_KEPT, others.size()), others.size())) {
            if (commands.stream().noneMatch(it -> it.contains(old.getFileName().toString()))) {
                delete(old);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

package dev.patchbay.oauth;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The file of one sign-in, for the user alone. Several gateways share it: it is replaced as a
 * whole, and who renews what is in it keeps the others waiting, since most renewals can be made
 * once only.
 */
final class KeptFile {
    private static final int BYTES_MAX = 256 * 1024;

    /** Several gateways of one process may be here; the lock on the file keeps others out only. */
    private static final ConcurrentMap<Path, Object> IN_PROCESS = new ConcurrentHashMap<>();

    /** What is done while nobody else changes the file. */
    interface Work<T> {
        T run() throws IOException, SignInFailed, InterruptedException;
    }

    /** What can be seen of a file without reading it. */
    record Sight(long modified, long size, @Nullable Object key) {
        static final Sight NONE = new Sight(0, -1, null);
    }

    private final Path file;
    private final String url;

    /** The file for a server; the name tells the URL apart too, what is in it makes sure. */
    KeptFile(Path folder, String server, String url) {
        // Without a formatter, which costs a start several milliseconds.
        String which = Integer.toHexString(url.hashCode());
        this.file = folder.resolve(server + "-" + which + ".json");
        this.url = url;
    }

    Sight look() {
        try {
            var seen = Files.readAttributes(file, BasicFileAttributes.class);
            return new Sight(seen.lastModifiedTime().toMillis(), seen.size(), seen.fileKey());
        } catch (IOException _) {
            return Sight.NONE;
        }
    }

    /** What is kept; null if nothing is, or nothing that can be read. */
    @Nullable Kept read() {
        try (InputStream in = Files.newInputStream(file)) {
            return Kept.of(Json.parse(in.readNBytes(BYTES_MAX)), url);
        } catch (IOException | JsonException _) {
            return null;
        }
    }

    void write(Kept kept) throws IOException {
        makeFolder();
        Path fresh =
                Files.createTempFile(folder(), ".sign-in", ".tmp", forTheUserAlone("rw-------"));
        try {
            Files.write(fresh, kept.toJson().toBytes());
            Files.move(
                    fresh,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Forgets everything; whether there was something. */
    boolean delete() throws IOException {
        try {
            Files.delete(file);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /** Does something while no other gateway does. */
    <T> T alone(Work<T> work) throws IOException, SignInFailed, InterruptedException {
        makeFolder();
        Path lock = folder().resolve(file.getFileName() + ".lock");
        synchronized (IN_PROCESS.computeIfAbsent(lock, _ -> new Object())) {
            try (var channel =
                            FileChannel.open(
                                    lock, Set.of(CREATE, WRITE), forTheUserAlone("rw-------"));
                    var _ = channel.lock()) {
                return work.run();
            }
        }
    }

    private Path folder() {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a folder");
    }

    private void makeFolder() throws IOException {
        if (!Files.isDirectory(folder())) {
            Files.createDirectories(folder(), forTheUserAlone("rwx------"));
        }
    }

    private FileAttribute<?>[] forTheUserAlone(String mode) {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        var rights = PosixFilePermissions.fromString(mode);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)};
    }
}

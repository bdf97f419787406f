package dev.patchbay.oauth;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
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

    /** More than tokens and what goes with them take, as far as such are known. */
    private static final int ROOM_BYTES = 64 * 1024;

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
        try (Room room = room()) {
            room.write(kept);
        }
    }

    /**
     * Takes room for what is to be written. To be done before something is asked for that can be
     * had once only: on a disk that is full it would be lost.
     */
    Room room() throws IOException {
        try {
            makeFolder();
            Path fresh =
                    Files.createTempFile(
                            folder(), ".sign-in", ".tmp", forTheUserAlone("rw-------"));
            var room = new Room(fresh);
            try {
                Files.write(fresh, new byte[ROOM_BYTES]);
            } catch (IOException e) {
                room.close();
                throw e;
            }
            return room;
        } catch (IOException e) {
            throw named(e);
        }
    }

    /** A place on the disk beside the file, which becomes the file, or nothing. */
    final class Room implements AutoCloseable {
        private final Path fresh;

        private Room(Path fresh) {
            this.fresh = fresh;
        }

        /** Writes over what holds the place, and puts it where the file is. */
        void write(Kept kept) throws IOException {
            try (var channel = FileChannel.open(fresh, WRITE)) {
                var bytes = ByteBuffer.wrap(kept.toJson().toBytes());
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.truncate(channel.position());
            } catch (IOException e) {
                throw named(e);
            }
            Files.move(
                    fresh,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(fresh);
        }
    }

    /** The same fault, of the file that it is about. */
    private FileSystemException named(IOException e) {
        String why = e instanceof FileSystemException fault ? fault.getReason() : null;
        return new FileSystemException(
                file.toString(), null, why == null ? String.valueOf(e.getMessage()) : why);
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

    /**
     * Does something while no other gateway does. Where nothing can be written nobody is kept out,
     * and what is to be written fails.
     */
    <T> T alone(Work<T> work) throws IOException, SignInFailed, InterruptedException {
        Path lock = folder().resolve(file.getFileName() + ".lock");
        synchronized (IN_PROCESS.computeIfAbsent(lock, _ -> new Object())) {
            try (FileChannel channel = opened(lock)) {
                if (channel == null) {
                    return work.run();
                }
                try (var _ = channel.lock()) {
                    return work.run();
                }
            }
        }
    }

    private @Nullable FileChannel opened(Path lock) {
        try {
            makeFolder();
            return FileChannel.open(lock, Set.of(CREATE, WRITE), forTheUserAlone("rw-------"));
        } catch (IOException _) {
            return null;
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

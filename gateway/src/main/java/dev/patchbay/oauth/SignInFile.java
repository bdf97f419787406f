package dev.patchbay.oauth;

import static java.nio.file.StandardOpenOption.WRITE;

import dev.patchbay.files.PrivateFile;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The file of one sign-in, readable by the user only. Several gateways share it: it is replaced
 * atomically, and a renewal locks it, because most refresh tokens can be used only once.
 */
final class SignInFile {
    private static final int BYTES_MAX = 256 * 1024;

    /** More than known tokens and their metadata need. */
    private static final int RESERVED_BYTES = 64 * 1024;

    /** A file lock does not exclude threads of the same process. */
    private static final ConcurrentMap<Path, Object> PROCESS_LOCKS = new ConcurrentHashMap<>();

    /** An action that runs while the file is locked. */
    interface LockedAction<T> {
        T run() throws IOException, SignInFailed, InterruptedException;
    }

    /** The attributes of a file. */
    record Stamp(long modifiedMillis, long size, @Nullable Object fileKey) {
        static final Stamp NONE = new Stamp(0, -1, null);
    }

    private final Path file;
    private final String url;

    /** The file for a server. Its name depends on the URL, and its content is checked too. */
    SignInFile(Path folder, String server, String url) {
        // Without a formatter, which would take several milliseconds at the start.
        String which = Integer.toHexString(url.hashCode());
        this.file = folder.resolve(server + "-" + which + ".json");
        this.url = url;
    }

    Stamp stamp() {
        try {
            var seen = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(seen.lastModifiedTime().toMillis(), seen.size(), seen.fileKey());
        } catch (IOException _) {
            return Stamp.NONE;
        }
    }

    /** The stored sign-in; null if there is none or it is not readable. */
    @Nullable StoredSignIn read() {
        try (InputStream in = Files.newInputStream(file)) {
            return StoredSignIn.parse(Json.parse(in.readNBytes(BYTES_MAX)), url);
        } catch (IOException | JsonException _) {
            return null;
        }
    }

    void write(StoredSignIn kept) throws IOException {
        try (ReservedFile room = reserve()) {
            room.write(kept);
        }
    }

    /**
     * Reserves disk space for the new content. Must be called before a refresh token is used: on a
     * full disk the new one would be lost.
     */
    ReservedFile reserve() throws IOException {
        try {
            PrivateFile.createFolder(folder());
            Path fresh = PrivateFile.createTemporary(folder(), ".sign-in-");
            var room = new ReservedFile(fresh);
            try {
                Files.write(fresh, new byte[RESERVED_BYTES]);
            } catch (IOException e) {
                room.close();
                throw e;
            }
            return room;
        } catch (IOException e) {
            throw withFileName(e);
        }
    }

    /** Reserved space next to the file, which becomes the file or is deleted. */
    final class ReservedFile implements AutoCloseable {
        private final Path temporaryFile;

        private ReservedFile(Path fresh) {
            this.temporaryFile = fresh;
        }

        /** Writes the content and replaces the file. */
        void write(StoredSignIn kept) throws IOException {
            try (var channel = FileChannel.open(temporaryFile, WRITE)) {
                PrivateFile.write(channel, kept.toJson().toBytes());
                channel.truncate(channel.position());
            } catch (IOException e) {
                throw withFileName(e);
            }
            PrivateFile.moveTo(file, temporaryFile);
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(temporaryFile);
        }
    }

    /** The same failure, with the name of the file. */
    private FileSystemException withFileName(IOException e) {
        String why = e instanceof FileSystemException fault ? fault.getReason() : null;
        return new FileSystemException(
                file.toString(), null, why == null ? String.valueOf(e.getMessage()) : why);
    }

    /** Deletes the file; returns whether it existed. */
    boolean delete() throws IOException {
        try {
            Files.delete(file);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /**
     * Runs an action while no other gateway runs one. If no lock file can be written, there is no
     * exclusion, and storing fails.
     */
    <T> T withLock(LockedAction<T> work) throws IOException, SignInFailed, InterruptedException {
        Path lock = folder().resolve(file.getFileName() + ".lock");
        synchronized (PROCESS_LOCKS.computeIfAbsent(lock, _ -> new Object())) {
            try (FileChannel channel = openLockFile(lock)) {
                if (channel == null) {
                    return work.run();
                }
                try (var _ = channel.lock()) {
                    return work.run();
                }
            }
        }
    }

    private @Nullable FileChannel openLockFile(Path lock) {
        try {
            PrivateFile.createFolder(folder());
            return PrivateFile.open(lock);
        } catch (IOException _) {
            return null;
        }
    }

    private Path folder() {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a folder");
    }
}

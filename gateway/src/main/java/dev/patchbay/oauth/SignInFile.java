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
 * The file of one sign-in, for the user alone. Several gateways share it: it is replaced as a
 * whole, and who renews what is in it keeps the others waiting, since most renewals can be made
 * once only.
 */
final class SignInFile {
    private static final int BYTES_MAX = 256 * 1024;

    /** More than tokens and what goes with them take, as far as such are known. */
    private static final int RESERVED_BYTES = 64 * 1024;

    /** Several gateways of one process may be here; the lock on the file keeps others out only. */
    private static final ConcurrentMap<Path, Object> PROCESS_LOCKS = new ConcurrentHashMap<>();

    /** What is done while nobody else changes the file. */
    interface LockedAction<T> {
        T run() throws IOException, SignInFailed, InterruptedException;
    }

    /** What can be seen of a file without reading it. */
    record Stamp(long modifiedMillis, long size, @Nullable Object fileKey) {
        static final Stamp NONE = new Stamp(0, -1, null);
    }

    private final Path file;
    private final String url;

    /** The file for a server; the name tells the URL apart too, what is in it makes sure. */
    SignInFile(Path folder, String server, String url) {
        // Without a formatter, which costs a start several milliseconds.
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

    /** What is kept; null if nothing is, or nothing that can be read. */
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
     * Takes room for what is to be written. To be done before something is asked for that can be
     * had once only: on a disk that is full it would be lost.
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

    /** A place on the disk beside the file, which becomes the file, or nothing. */
    final class ReservedFile implements AutoCloseable {
        private final Path temporaryFile;

        private ReservedFile(Path fresh) {
            this.temporaryFile = fresh;
        }

        /** Writes over what holds the place, and puts it where the file is. */
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

    /** The same fault, of the file that it is about. */
    private FileSystemException withFileName(IOException e) {
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

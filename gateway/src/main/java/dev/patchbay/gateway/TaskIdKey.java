package dev.patchbay.gateway;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/**
 * The secret that only gateways with the same state folder share. Where it cannot be kept, it lives
 * as long as the process.
 */
final class TaskIdKey {
    private static final int BYTES = 32;

    /** Several gateways of one process may be here; the lock on the file keeps others out only. */
    private static final Object PROCESS_LOCK = new Object();

    private TaskIdKey() {}

    static byte[] load(@Nullable Path stateDir) {
        if (stateDir == null) {
            return generate();
        }
        Path file = stateDir.resolve("task-key");
        synchronized (PROCESS_LOCK) {
            try {
                byte[] there = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
                if (there.length == BYTES) {
                    return there; // which needs no right to write
                }
                Files.createDirectories(stateDir);
                return readOrCreate(file);
            } catch (IOException e) {
                System.getLogger(TaskIdKey.class.getName())
                        .log(WARNING, "Tasks will not outlive this run: {0}", e.toString());
                return generate();
            }
        }
    }

    /** The key in the file; whoever finds none writes one, and everybody else waits for that. */
    private static byte[] readOrCreate(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, Set.of(CREATE, READ, WRITE), ownerOnly(file))) {
            try (var _ = channel.lock()) {
                var buffer = ByteBuffer.allocate(BYTES);
                if (channel.read(buffer) == BYTES) {
                    return buffer.array();
                }
                byte[] key = generate();
                channel.position(0);
                var written = ByteBuffer.wrap(key);
                while (written.hasRemaining()) {
                    channel.write(written);
                }
                channel.force(true);
                return key;
            }
        }
    }

    private static byte[] generate() {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        var mode = PosixFilePermissions.fromString("rw-------");
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)};
    }
}

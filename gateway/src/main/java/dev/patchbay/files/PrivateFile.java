package dev.patchbay.files;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Creates and replaces files that only their owner can read. A file has its permissions from the
 * moment it exists. A new file is always created exclusively, so that a symbolic link planted under
 * its name is never followed. On systems without POSIX permissions the rights of the folder apply.
 */
public final class PrivateFile {
    private static final int NAMES_TRIED_MAX = 100;

    /** File locks keep other processes out; this keeps other threads out. */
    private static final Object PROCESS_LOCK = new Object();

    private PrivateFile() {}

    /** Creates the folder and its parents if they do not exist, for the owner only. */
    public static void createFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
        }
    }

    /** Creates an empty file under a random name. The caller moves or deletes it. */
    public static Path createTemporary(Path folder, String prefix) throws IOException {
        for (int i = 0; ; i++) {
            long random = ThreadLocalRandom.current().nextLong();
            Path file = folder.resolve(prefix + Long.toHexString(random) + ".tmp");
            try {
                return Files.createFile(file, ownerOnly(file, "rw-------"));
            } catch (FileAlreadyExistsException e) {
                if (i == NAMES_TRIED_MAX) {
                    throw e;
                }
            }
        }
    }

    /**
     * Replaces the content of a file as a whole, or creates it. Readers see the old content or the
     * new one. If the write fails, the old content stays.
     */
    public static void replace(Path file, byte[] content) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "no folder");
        Path temporary = createTemporary(folder, "." + file.getFileName() + "-");
        try {
            Files.write(temporary, content);
            moveTo(file, temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Puts a temporary file in the place of a file. */
    public static void moveTo(Path file, Path temporary) throws IOException {
        Files.move(
                temporary,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Creates a file with its content. If the write fails, the file does not exist.
     *
     * @throws FileAlreadyExistsException if there is a file or a link of that name
     */
    public static void create(Path file, byte[] content) throws IOException {
        Set<OpenOption> options = Set.of(CREATE_NEW, WRITE);
        try (var channel = FileChannel.open(file, options, ownerOnly(file, "rw-------"))) {
            try {
                write(channel, content);
            } catch (IOException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        }
    }

    /** Opens a file, or creates it empty. Does not follow a symbolic link. */
    public static FileChannel open(Path file) throws IOException {
        Set<OpenOption> options = Set.of(CREATE, READ, WRITE, LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options, ownerOnly(file, "rw-------"));
    }

    /** Opens a file for writes at its end, or creates it. Does not follow a symbolic link. */
    public static FileChannel openForAppend(Path file) throws IOException {
        Set<OpenOption> options = Set.of(CREATE, APPEND, LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options, ownerOnly(file, "rw-------"));
    }

    /**
     * The content of a file. If it does not exist or is not valid, generates the content and writes
     * it to disk. Several processes that do this at once get the same content.
     */
    public static byte[] loadOrCreate(
            Path file, Predicate<byte[]> isValid, Supplier<byte[]> generator) throws IOException {
        synchronized (PROCESS_LOCK) {
            byte[] existing = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
            if (isValid.test(existing)) {
                return existing; // needs no right to write
            }
            createFolder(Objects.requireNonNull(file.toAbsolutePath().getParent(), "no folder"));
            try (FileChannel channel = open(file);
                    var _ = channel.lock()) {
                byte[] present = read(channel);
                return isValid.test(present) ? present : generate(file, channel, generator.get());
            }
        }
    }

    private static byte[] read(FileChannel channel) throws IOException {
        var buffer = ByteBuffer.allocate((int) channel.size());
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // reads on
        }
        return buffer.array();
    }

    private static byte[] generate(Path file, FileChannel channel, byte[] content)
            throws IOException {
        try {
            channel.truncate(0);
            write(channel, content);
            channel.force(true);
            return content;
        } catch (IOException e) {
            channel.truncate(0); // part of a secret must not count as one
            throw new FileSystemException(file.toString(), null, e.getMessage());
        }
    }

    /** Writes all bytes at the channel's position. */
    public static void write(FileChannel channel, byte[] content) throws IOException {
        var buffer = ByteBuffer.wrap(content);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }
}

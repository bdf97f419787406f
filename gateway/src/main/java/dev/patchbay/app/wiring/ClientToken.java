package dev.patchbay.app.wiring;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.patchbay.config.Environment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The token that clients on HTTP show, made at the first need and kept for the user alone. */
final class ClientToken {
    private static final int BYTES = 32;

    private ClientToken() {}

    static String loadOrCreate(Environment surroundings) {
        Path file = surroundings.configDirectory().resolve("token");
        try {
            String token = read(file);
            return token.isEmpty() ? create(file) : token;
        } catch (IOException e) {
            throw new CommandFailedException(
                    ExitCode.FAILED, "There is no token for clients. " + IoErrorText.describe(e));
        }
    }

    /** The token in the file; empty if there is none. */
    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException _) {
            return "";
        }
    }

    /** Whoever finds none writes one, and every other start waits for that. */
    private static String create(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (var channel = FileChannel.open(file, Set.of(CREATE, WRITE), ownerOnly());
                var _ = channel.lock()) {
            String there = read(file);
            return there.isEmpty() ? write(channel, file) : there;
        }
    }

    private static String write(FileChannel channel, Path file) throws IOException {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        var line = ByteBuffer.wrap((token + "\n").getBytes(StandardCharsets.US_ASCII));
        try {
            while (line.hasRemaining()) {
                channel.write(line);
            }
            channel.force(true);
            return token;
        } catch (IOException e) {
            channel.truncate(0); // half a token would be one
            throw new FileSystemException(file.toString(), null, e.getMessage());
        }
    }

    private static FileAttribute<?>[] ownerOnly() {
        Set<String> views = FileSystems.getDefault().supportedFileAttributeViews();
        if (!views.contains("posix")) {
            return new FileAttribute<?>[0];
        }
        var mode = PosixFilePermissions.fromString("rw-------");
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)};
    }
}

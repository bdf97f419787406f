package dev.patchbay.app;

import dev.patchbay.config.Surroundings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The token that clients on HTTP show, made at the first need and kept for the user alone. */
final class Token {
    private static final int BYTES = 32;

    private Token() {}

    static String of(Surroundings surroundings) {
        Path file = surroundings.configDirectory().resolve("token");
        try {
            if (!Files.exists(file)) {
                make(file);
            }
            String token = Files.readString(file).strip();
            if (!token.isEmpty()) {
                return token;
            }
            throw new CommandFailed(
                    Exit.FAILED, file + " is empty. Remove it, and a new token will be made.");
        } catch (IOException e) {
            throw new CommandFailed(
                    Exit.FAILED,
                    "The token in " + file + " cannot be read or made: " + e.getMessage());
        }
    }

    private static void make(Path file) throws IOException {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        Files.createDirectories(file.getParent());
        try {
            Files.createFile(file, forTheUserAlone());
        } catch (FileAlreadyExistsException _) {
            return; // another start was quicker
        }
        byte[] line = (HexFormat.of().formatHex(random) + "\n").getBytes(StandardCharsets.US_ASCII);
        Files.write(file, line, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private static FileAttribute<?>[] forTheUserAlone() {
        Set<String> views = FileSystems.getDefault().supportedFileAttributeViews();
        if (!views.contains("posix")) {
            return new FileAttribute<?>[0];
        }
        var mode = PosixFilePermissions.fromString("rw-------");
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)};
    }
}

package dev.patchbay.app.wiring;

import dev.patchbay.config.Environment;
import dev.patchbay.files.PrivateFile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The owner's token for HTTP clients, created on first use and readable by the user only. */
final class ClientToken {
    private static final int BYTES = 32;

    private ClientToken() {}

    static String loadOrCreate(Environment environment) {
        Path file = file(environment);
        try {
            byte[] line =
                    PrivateFile.loadOrCreate(
                            file, it -> !text(it).isEmpty(), ClientToken::generate);
            return text(line);
        } catch (IOException e) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "The token for clients cannot be stored. " + IoErrorText.describe(e));
        }
    }

    /** Where the token is stored. */
    static Path file(Environment environment) {
        return environment.configDirectory().resolve("token");
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8).strip();
    }

    private static byte[] generate() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return (HexFormat.of().formatHex(random) + "\n").getBytes(StandardCharsets.US_ASCII);
    }
}

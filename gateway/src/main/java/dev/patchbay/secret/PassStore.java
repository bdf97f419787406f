package dev.patchbay.secret;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The password manager {@code pass}, which keeps each secret in a file encrypted by GnuPG. */
final class PassStore implements SecretStore {
    private static final String PROGRAM = "pass";
    private static final String FOLDER = "patchbay/";

    private final SecretToolProcess tools;

    PassStore(SecretToolProcess tools) {
        this.tools = tools;
    }

    @Override
    public String id() {
        return "pass";
    }

    @Override
    public boolean isAvailable() {
        String chosen = tools.variable("PASSWORD_STORE_DIR");
        Path folder =
                chosen.isEmpty()
                        ? Path.of(tools.variable("HOME"), ".password-store")
                        : Path.of(chosen);
        return Files.isRegularFile(folder.resolve(".gpg-id")) && tools.find(PROGRAM) != null;
    }

    @Override
    public @Nullable String read(String name) throws IOException {
        var output = tools.run(List.of(PROGRAM, "show", FOLDER + name), "");
        if (!output.isSuccess()) {
            return null;
        }
        String text = output.text();
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public void write(String name, String value) throws IOException {
        var command = List.of(PROGRAM, "insert", "--multiline", "--force", FOLDER + name);
        if (!tools.run(command, value + "\n").isSuccess()) {
            throw new IOException(
                    "pass did not store the secret. Run: pass insert " + FOLDER + name);
        }
    }

    @Override
    public void remove(String name) throws IOException {
        tools.run(List.of(PROGRAM, "rm", "--force", FOLDER + name), "");
    }
}

package dev.patchbay.secret;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * The keychain of macOS, through {@code security}. Values are stored in hexadecimal, so that the
 * command language of {@code security -i} needs no quoting.
 */
final class MacKeychainStore implements SecretStore {
    private static final String PROGRAM = "security";

    private final SecretToolProcess tools;
    private final boolean isMac;

    MacKeychainStore(SecretToolProcess tools, boolean isMac) {
        this.tools = tools;
        this.isMac = isMac;
    }

    @Override
    public String id() {
        return "keychain";
    }

    @Override
    public boolean isAvailable() {
        return isMac && tools.find(PROGRAM) != null;
    }

    @Override
    public @Nullable String read(String name) throws IOException {
        var output =
                tools.run(
                        List.of(
                                PROGRAM,
                                "find-generic-password",
                                "-s",
                                "patchbay",
                                "-a",
                                name,
                                "-w"),
                        "");
        if (!output.isSuccess()) {
            return null;
        }
        try {
            byte[] bytes = HexFormat.of().parseHex(output.text().strip());
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IOException("The keychain entry was not written by patchbay", e);
        }
    }

    @Override
    public void write(String name, String value) throws IOException {
        String hex = HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8));
        String command = "add-generic-password -U -s patchbay -a %s -w %s\n".formatted(name, hex);
        if (!tools.run(List.of(PROGRAM, "-i"), command).isSuccess()) {
            throw new IOException(
                    "The keychain did not store the secret. Unlock it, or use --store file");
        }
    }

    @Override
    public void remove(String name) throws IOException {
        tools.run(List.of(PROGRAM, "delete-generic-password", "-s", "patchbay", "-a", name), "");
    }
}

package dev.patchbay.secret;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/** The desktop keyring of Linux, through {@code secret-tool} of libsecret. */
final class KeyringStore implements SecretStore {
    private static final String PROGRAM = "secret-tool";

    private final SecretToolProcess tools;

    KeyringStore(SecretToolProcess tools) {
        this.tools = tools;
    }

    @Override
    public String id() {
        return "keyring";
    }

    @Override
    public boolean isAvailable() {
        return !tools.variable("DBUS_SESSION_BUS_ADDRESS").isEmpty() && tools.find(PROGRAM) != null;
    }

    @Override
    public @Nullable String read(String name) throws IOException {
        var output = tools.run(List.of(PROGRAM, "lookup", "service", "patchbay", "name", name), "");
        return output.isSuccess() ? output.text() : null;
    }

    @Override
    public void write(String name, String value) throws IOException {
        var output =
                tools.run(
                        List.of(
                                PROGRAM,
                                "store",
                                "--label=Patchbay: " + name,
                                "service",
                                "patchbay",
                                "name",
                                name),
                        value);
        if (!output.isSuccess()) {
            throw new IOException(
                    "The keyring did not store the secret. Unlock it, or use --store file");
        }
    }

    @Override
    public void remove(String name) throws IOException {
        tools.run(List.of(PROGRAM, "clear", "service", "patchbay", "name", name), "");
    }
}

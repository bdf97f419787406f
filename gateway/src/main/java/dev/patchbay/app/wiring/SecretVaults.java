package dev.patchbay.app.wiring;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.secret.SecretLookup;
import dev.patchbay.secret.SecretVault;

import java.nio.file.Path;

/** Opens the secrets of the user who runs the program. */
public final class SecretVaults {
    private SecretVaults() {}

    public static SecretVault open(Environment environment) {
        boolean isMac = environment.platform() == Platform.MACOS;
        // macOS may delete what is in its state directory, and must not lose where secrets are.
        Path folder = isMac ? environment.configDirectory() : StateDirectory.locate(environment);
        return SecretVault.open(folder, environment.variables(), isMac);
    }

    /** Reads the secrets that a configuration refers to. */
    public static SecretLookup lookup(Environment environment) {
        return new SecretLookup(environment.home(), () -> open(environment));
    }
}

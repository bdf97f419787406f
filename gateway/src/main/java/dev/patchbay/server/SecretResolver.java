package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** Reads the secrets that configured values refer to. */
public interface SecretResolver {
    /** Has no secret. */
    SecretResolver NONE = _ -> null;

    /**
     * Returns the secret; null if there is no such secret.
     *
     * @throws IOException if it cannot be read; the message has no part of a secret
     */
    @Nullable String read(SecretReference reference) throws IOException;
}

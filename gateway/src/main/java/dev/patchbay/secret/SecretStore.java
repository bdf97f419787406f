package dev.patchbay.secret;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** A place that keeps secrets: the desktop keyring, a password manager, or a private file. */
interface SecretStore {
    /** The word for the store on the command line and in the index. */
    String id();

    /** Whether the store can be used on this machine now. */
    boolean isAvailable();

    /** The value of a secret, or null if the store does not have it. */
    @Nullable String read(String name) throws IOException;

    /** Adds or replaces a secret. */
    void write(String name, String value) throws IOException;

    /** Removes a secret. Does nothing if the store does not have it. */
    void remove(String name) throws IOException;
}

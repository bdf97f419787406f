package dev.patchbay.registry;

/** A registry, an entry or a bundle cannot be used. The message says why, for users. */
public final class RegistryException extends Exception {
    private static final long serialVersionUID = 1L;

    public RegistryException(String message) {
        super(message, null, false, false);
    }
}

package dev.patchbay.registry;

/** A registry, an entry or a bundle cannot be used. The message says why, for users. */
public final class RegistryException extends Exception {
    private static final long serialVersionUID = 1L;

    public RegistryException(String message) {
        super(message, null, false, false);
    }

    /** The message with a mark at its end. */
    public String sentence() {
        String message = String.valueOf(getMessage());
        return message.endsWith("?") || message.endsWith(".") ? message : message + ".";
    }
}

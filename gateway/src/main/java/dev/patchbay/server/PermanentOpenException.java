package dev.patchbay.server;

import java.io.IOException;

/**
 * A server cannot be opened, and another attempt would fail in the same way: its program does not
 * exist, or its configuration is incomplete.
 */
public final class PermanentOpenException extends IOException {
    private static final long serialVersionUID = 1L;

    public PermanentOpenException(String message) {
        super(message);
    }
}

package dev.patchbay.stdio;

import java.io.IOException;

/** A command cannot be started, and another attempt would fail in the same way. */
public final class UnusableCommandException extends IOException {
    private static final long serialVersionUID = 1L;

    UnusableCommandException(String message) {
        super(message);
    }
}

package dev.patchbay.repl;

/** The session cannot do what was asked, for a reason that its user can act on. */
public final class ReplException extends Exception {
    ReplException(String message) {
        super(message);
    }

    ReplException(String message, Throwable cause) {
        super(message, cause);
    }
}

package dev.patchbay.repl;

/** The session cannot do what was asked, for a reason that its user can act on. */
public final class SessionException extends Exception {
    SessionException(String message) {
        super(message);
    }

    SessionException(String message, Throwable cause) {
        super(message, cause);
    }
}

package dev.patchbay.repl.kernel;

/** A question cannot be answered, for a reason that the user can act on. */
@SuppressWarnings("serial")
final class RefusedException extends RuntimeException {
    RefusedException(String message) {
        super(message);
    }
}

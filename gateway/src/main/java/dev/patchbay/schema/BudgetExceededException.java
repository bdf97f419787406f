package dev.patchbay.schema;

/** Ends a validation that takes too many steps. */
final class BudgetExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BudgetExceededException() {
        super("Over budget", null, false, false);
    }
}

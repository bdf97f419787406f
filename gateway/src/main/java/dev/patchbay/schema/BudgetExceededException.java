package dev.patchbay.schema;

/** The end of a check that costs too much. */
final class BudgetExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BudgetExceededException() {
        super("Over budget", null, false, false);
    }
}

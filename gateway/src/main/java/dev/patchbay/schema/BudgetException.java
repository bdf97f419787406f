package dev.patchbay.schema;

/** The end of a check that costs too much. */
final class BudgetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BudgetException() {
        super("Over budget", null, false, false);
    }
}

package dev.patchbay.schema.regex;

/** The number of steps that may still be spent. Matching reports every step it takes. */
@FunctionalInterface
public interface StepBudget {
    /**
     * Takes steps from the budget.
     *
     * @throws RuntimeException if the budget is exceeded; matching ends with it
     */
    void spend(int steps);
}

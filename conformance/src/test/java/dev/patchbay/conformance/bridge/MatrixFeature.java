package dev.patchbay.conformance.bridge;

/** One row of the matrix: a feature and its check. */
record MatrixFeature(String name, Check check) {
    /**
     * Checks the feature and returns the outcome for the table. Throws if the feature does not
     * work.
     */
    interface Check {
        String run(EraMatrixCase cell) throws Exception;
    }
}

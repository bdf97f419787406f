package dev.patchbay.conformance.bridge;

/** One row of the matrix: what is tried, and how it shows that it crosses. */
record MatrixFeature(String name, Check check) {
    /** Tries the feature in a cell; what the table says of it. Throws if it does not cross. */
    interface Check {
        String run(EraMatrixCase cell) throws Exception;
    }
}

package dev.patchbay.conformance.bridge;

/** One row of the matrix: what is tried, and how it shows that it crosses. */
record Feature(String name, Trial trial) {
    /** Tries the feature in a cell; what the table says of it. Throws if it does not cross. */
    interface Trial {
        String in(Cell cell) throws Exception;
    }
}

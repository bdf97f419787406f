package dev.patchbay.config;

/** A place in a text as editors count it: both numbers begin at 1. */
public record Place(int line, int column) {
    static final Place START = new Place(1, 1);

    @Override
    public String toString() {
        return line + ":" + column;
    }
}

package dev.patchbay.config;

/** A position in a text, as editors count it: both numbers begin at 1. */
public record TextPosition(int line, int column) {
    public static final TextPosition START = new TextPosition(1, 1);

    @Override
    public String toString() {
        return line + ":" + column;
    }
}

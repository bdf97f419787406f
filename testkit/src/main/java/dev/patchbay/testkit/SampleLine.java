package dev.patchbay.testkit;

/** A line to send, without its line feed, and a word on what it is. */
public final class SampleLine {
    private final String label;
    private final byte[] line;

    public SampleLine(String label, byte[] line) {
        this.label = label;
        this.line = line;
    }

    static SampleLine of(String label, String line) {
        return new SampleLine(label, Utf8Text.encode(line));
    }

    public String label() {
        return label;
    }

    public byte[] line() {
        return line;
    }

    @Override
    public String toString() {
        return label + ": " + Utf8Text.abbreviate(line);
    }
}

package dev.patchbay.testkit;

/** A line to send, without its line feed, and a word on what it is. */
public final class Sample {
    private final String label;
    private final byte[] line;

    public Sample(String label, byte[] line) {
        this.label = label;
        this.line = line;
    }

    static Sample of(String label, String line) {
        return new Sample(label, Text.bytes(line));
    }

    public String label() {
        return label;
    }

    public byte[] line() {
        return line;
    }

    @Override
    public String toString() {
        return label + ": " + Text.brief(line);
    }
}

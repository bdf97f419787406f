package dev.patchbay.testkit;

/** One line of a conversation as it crossed the pipe, without its line feed. */
public final class TrafficLine {
    private final Direction direction;
    private final long nanoTime;
    private final byte[] line;

    public TrafficLine(Direction direction, long nanoTime, byte[] line) {
        this.direction = direction;
        this.nanoTime = nanoTime;
        this.line = line;
    }

    /** Seen from the client: what it sent, and what it received. */
    public enum Direction {
        SENT,
        RECEIVED
    }

    public static TrafficLine sent(String line) {
        return new TrafficLine(Direction.SENT, System.nanoTime(), Utf8Text.encode(line));
    }

    public static TrafficLine received(String line) {
        return new TrafficLine(Direction.RECEIVED, System.nanoTime(), Utf8Text.encode(line));
    }

    public Direction direction() {
        return direction;
    }

    public long nanoTime() {
        return nanoTime;
    }

    public byte[] line() {
        return line;
    }

    @Override
    public String toString() {
        return direction + " " + Utf8Text.abbreviate(line);
    }
}

package dev.patchbay.testkit;

/** One line of a conversation as it crossed the pipe, without its line feed. */
public final class Traffic {
    private final Direction direction;
    private final long nanoTime;
    private final byte[] line;

    public Traffic(Direction direction, long nanoTime, byte[] line) {
        this.direction = direction;
        this.nanoTime = nanoTime;
        this.line = line;
    }

    /** Seen from the client: what it sent, and what it received. */
    public enum Direction {
        SENT,
        RECEIVED
    }

    public static Traffic sent(String line) {
        return new Traffic(Direction.SENT, System.nanoTime(), Text.bytes(line));
    }

    public static Traffic received(String line) {
        return new Traffic(Direction.RECEIVED, System.nanoTime(), Text.bytes(line));
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
        return direction + " " + Text.brief(line);
    }
}

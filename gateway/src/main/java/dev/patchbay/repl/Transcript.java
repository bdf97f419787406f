package dev.patchbay.repl;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** What was printed, in its order, up to a number of characters. Many threads may add to it. */
final class Transcript implements Printed {
    /** Text that one stream got in one go. */
    record Piece(Target target, String text) {}

    /** A piece is joined with the next one while it is shorter, so that small prints stay cheap. */
    private static final int JOINED_CHARS_MAX = 4_096;

    private final int charsMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Piece> pieces = new ArrayList<>();
    private int chars;
    private long dropped;

    Transcript(int charsMax) {
        this.charsMax = charsMax;
    }

    @Override
    public void printed(Target target, String text) {
        lock.lock();
        try {
            int taken = Math.min(text.length(), charsMax - chars);
            if (taken > 0 && taken < text.length() && splitsAt(text, taken)) {
                taken--;
            }
            dropped += text.length() - taken;
            if (taken > 0) {
                add(target, text.substring(0, taken));
                chars += taken;
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean splitsAt(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at - 1));
    }

    private void add(Target target, String text) {
        if (!pieces.isEmpty() && pieces.getLast().target() == target) {
            Piece last = pieces.getLast();
            if (last.text().length() < JOINED_CHARS_MAX) {
                pieces.set(pieces.size() - 1, new Piece(target, last.text() + text));
                return;
            }
        }
        pieces.add(new Piece(target, text));
    }

    /** Notes that some more was printed which did not get here. */
    void dropped(long count) {
        lock.lock();
        try {
            dropped += count;
        } finally {
            lock.unlock();
        }
    }

    List<Piece> pieces() {
        lock.lock();
        try {
            return List.copyOf(pieces);
        } finally {
            lock.unlock();
        }
    }

    /** All that went to one stream. */
    String text(Target target) {
        return pieces().stream()
                .filter(piece -> piece.target() == target)
                .map(Piece::text)
                .collect(Collectors.joining());
    }

    /** How many characters are kept. */
    int length() {
        lock.lock();
        try {
            return chars;
        } finally {
            lock.unlock();
        }
    }

    /** How many characters were printed beyond the limit. */
    long droppedChars() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }
}

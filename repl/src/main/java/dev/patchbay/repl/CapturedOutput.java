package dev.patchbay.repl;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** What was printed, in its order, up to a number of characters. Many threads may add to it. */
final class CapturedOutput implements OutputListener {
    /** Text that one stream got in one go. */
    record Chunk(StandardStream stream, String text) {}

    /** A piece is joined with the next one while it is shorter, so that small prints stay cheap. */
    private static final int MERGED_CHARS_MAX = 4_096;

    private final int charsMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Chunk> chunks = new ArrayList<>();
    private int chars;
    private long dropped;

    CapturedOutput(int charsMax) {
        this.charsMax = charsMax;
    }

    @Override
    public void onOutput(StandardStream target, String text) {
        lock.lock();
        try {
            int taken = Math.min(text.length(), charsMax - chars);
            if (taken > 0 && taken < text.length() && splitsSurrogatePair(text, taken)) {
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

    private static boolean splitsSurrogatePair(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at - 1));
    }

    private void add(StandardStream target, String text) {
        if (!chunks.isEmpty() && chunks.getLast().stream() == target) {
            Chunk last = chunks.getLast();
            if (last.text().length() < MERGED_CHARS_MAX) {
                chunks.set(chunks.size() - 1, new Chunk(target, last.text() + text));
                return;
            }
        }
        chunks.add(new Chunk(target, text));
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

    List<Chunk> chunks() {
        lock.lock();
        try {
            return List.copyOf(chunks);
        } finally {
            lock.unlock();
        }
    }

    /** All that went to one stream. */
    String text(StandardStream target) {
        return chunks().stream()
                .filter(piece -> piece.stream() == target)
                .map(Chunk::text)
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

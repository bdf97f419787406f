package dev.patchbay.testkit;

import java.nio.charset.StandardCharsets;

/** The newest part of a stream, and how much there was of it in all. */
final class Tail {
    private static final int KEPT_BYTES_MAX = 256 * 1024;

    private final byte[] ring = new byte[KEPT_BYTES_MAX];
    private long total;

    synchronized void add(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            ring[(int) (total++ % ring.length)] = bytes[i];
        }
    }

    synchronized long total() {
        return total;
    }

    synchronized String text() {
        int kept = (int) Math.min(total, ring.length);
        byte[] copy = new byte[kept];
        for (int i = 0; i < kept; i++) {
            copy[i] = ring[(int) ((total - kept + i) % ring.length)];
        }
        return new String(copy, StandardCharsets.UTF_8);
    }
}

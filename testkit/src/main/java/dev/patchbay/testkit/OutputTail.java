package dev.patchbay.testkit;

import java.nio.charset.StandardCharsets;

/** The newest part of a stream, and how much there was of it in all. */
final class OutputTail {
    private static final int KEPT_BYTES_MAX = 256 * 1024;

    private final byte[] ring = new byte[KEPT_BYTES_MAX];
    private long totalBytes;

    synchronized void add(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            ring[(int) (totalBytes++ % ring.length)] = bytes[i];
        }
    }

    synchronized long totalBytes() {
        return totalBytes;
    }

    synchronized String text() {
        int kept = (int) Math.min(totalBytes, ring.length);
        byte[] copy = new byte[kept];
        for (int i = 0; i < kept; i++) {
            copy[i] = ring[(int) ((totalBytes - kept + i) % ring.length)];
        }
        return new String(copy, StandardCharsets.UTF_8);
    }
}

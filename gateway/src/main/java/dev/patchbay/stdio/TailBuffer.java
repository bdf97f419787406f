package dev.patchbay.stdio;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The last bytes of a stream, in bounded memory. */
final class TailBuffer {
    private static final int INITIAL_BYTES = 512;

    private final int bytesMax;

    /** Grows up to the limit; until then, nothing is overwritten. */
    private byte[] ring = {};

    private long total;

    TailBuffer(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    synchronized void add(byte[] bytes, int length) {
        if (total + length > ring.length && ring.length < bytesMax) {
            long wanted = Math.max(INITIAL_BYTES, Math.max(2L * ring.length, total + length));
            ring = Arrays.copyOf(ring, (int) Math.min(bytesMax, wanted));
        }
        int from = Math.max(0, length - ring.length);
        for (int i = from; i < length; ) {
            int at = (int) ((total + i) % ring.length);
            int count = Math.min(length - i, ring.length - at);
            System.arraycopy(bytes, i, ring, at, count);
            i += count;
        }
        total += length;
    }

    /** The end of the text, at most this many bytes. */
    synchronized String text(int bytesMax) {
        int length = (int) Math.min(Math.min(total, ring.length), bytesMax);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = ring[(int) ((total - length + i) % ring.length)];
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

package dev.patchbay.testkit;

import java.util.Arrays;
import java.util.function.Predicate;

/** Makes a failing line smaller while it still fails: pieces first, from halves down to bytes. */
public final class LineShrinker {
    private static final int ATTEMPTS_MAX = 2_000;

    private final Predicate<byte[]> stillFails;
    private int attempts;
    private byte[] best;

    private LineShrinker(byte[] failing, Predicate<byte[]> stillFails) {
        this.best = failing;
        this.stillFails = stillFails;
    }

    /** The smallest failing line found within two thousand attempts. */
    public static byte[] shrink(byte[] failing, Predicate<byte[]> stillFails) {
        var shrinker = new LineShrinker(failing, stillFails);
        int before;
        do {
            before = shrinker.best.length;
            for (int piece = Math.max(1, before / 2); piece >= 1; piece /= 2) {
                shrinker.removePieces(piece);
            }
        } while (shrinker.best.length < before && shrinker.attempts < ATTEMPTS_MAX);
        return shrinker.best;
    }

    private void removePieces(int piece) {
        int at = 0;
        while (at < best.length && attempts < ATTEMPTS_MAX) {
            int end = Math.min(best.length, at + piece);
            byte[] smaller = new byte[best.length - (end - at)];
            System.arraycopy(best, 0, smaller, 0, at);
            System.arraycopy(best, end, smaller, at, best.length - end);
            attempts++;
            if (stillFails.test(Arrays.copyOf(smaller, smaller.length))) {
                best = smaller;
            } else {
                at = end;
            }
        }
    }
}

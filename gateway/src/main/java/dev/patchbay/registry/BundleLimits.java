package dev.patchbay.registry;

/**
 * How large a bundle may be.
 *
 * @param fileBytesMax the size of the bundle itself
 * @param entriesMax how many files it may contain
 * @param totalBytesMax the size of all files together, unpacked
 * @param ratioMax how many times larger the files may be than the bundle
 */
public record BundleLimits(long fileBytesMax, int entriesMax, long totalBytesMax, long ratioMax) {
    public static final BundleLimits DEFAULTS = new BundleLimits(512L << 20, 50_000, 2L << 30, 100);

    /** Files this small may have any ratio. */
    private static final long FREE_BYTES = 16L << 20;

    public BundleLimits {
        if (fileBytesMax <= 0 || entriesMax <= 0 || totalBytesMax <= 0 || ratioMax <= 0) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }

    /** How many bytes the files of a bundle of this size may have together. */
    long unpackedBytesMax(long fileBytes) {
        return Math.min(totalBytesMax, Math.max(FREE_BYTES, fileBytes * ratioMax));
    }
}

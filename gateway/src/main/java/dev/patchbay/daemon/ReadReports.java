package dev.patchbay.daemon;

/** Counts the bytes that a relay has read from a daemon, and when it has to tell so. */
final class ReadReports {
    /** Less than {@link AttachedChannel#UNREAD_BYTES_MAX}, so that a daemon need not wait. */
    private static final int REPORT_BYTES = AttachedChannel.UNREAD_BYTES_MAX / 4;

    private long readBytes;
    private long reportedBytes;

    boolean isDue(long bytes) {
        readBytes += bytes;
        return readBytes - reportedBytes >= REPORT_BYTES;
    }

    ControlLine.Read next() {
        reportedBytes = readBytes;
        return new ControlLine.Read(readBytes);
    }
}

package dev.patchbay.stdio;

import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Decoder;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Splits a byte stream at line feeds. A line over the limit is not kept: its envelope members are
 * extracted and the rest is skipped, in bounded memory.
 */
public final class LineReader {
    /** Receives the lines. */
    public interface LineSink {
        /**
         * A line without its line feed, at the start of an array that the receiver owns. Blank
         * lines are omitted.
         */
        void onLine(byte[] bytes, int length);

        /** A line that was not kept, what was found of it, and the reason. */
        void onSkippedLine(MemberFinder finder, String why);
    }

    /** The maximum that a pipe holds. */
    private static final int CHUNK_BYTES = 64 * 1024;

    /** The size of a read while lines are rare: most servers send little. */
    private static final int INITIAL_CHUNK_BYTES = 8 * 1024;

    /** The maximum expected length of a line, if the previous ones were longer. */
    private static final int EXPECTED_BYTES_MAX = 2 * 1024 * 1024;

    /** For the line feed, and for ids that grow from one line to the next. */
    private static final int SPARE_BYTES = 256;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] EMPTY = {};

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int STRIDE = 4 * Long.BYTES;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long LINE_FEEDS = ONES * '\n';

    private final InputStream in;
    private final int lineBytesMax;

    private final WriteBatch writeBatch = new WriteBatch();
    private byte[] chunk = new byte[INITIAL_CHUNK_BYTES];

    /** The beginning of an incomplete line. */
    private byte[] partial = EMPTY;

    private int partialLength;

    /** The length of the last line that took several reads: long lines often follow each other. */
    private int expectedBytes;

    /** Why the current line is not kept; null if it is. */
    private @Nullable String skipReason;

    private MemberFinder finder = Decoder.envelopeFinder();
    private boolean firstLineSeen;

    public LineReader(InputStream in, int lineBytesMax) {
        this.in = in;
        this.lineBytesMax = lineBytesMax;
    }

    /** Reads to the end of the stream. The last line needs no line feed. */
    public void run(LineSink sink) throws IOException {
        boolean more = true;
        while (more) {
            boolean begun = partialLength > 0 && skipReason == null;
            more = begun ? continueLine(sink) : readChunk(sink);
        }
        endLine(0, 0, sink);
    }

    /** Reads a chunk at the start of a line; returns false at the end of the stream. */
    private boolean readChunk(LineSink sink) throws IOException {
        int length = in.read(chunk);
        if (length >= 0) {
            splitAndFlush(length, sink);
        }
        if (length == chunk.length && length < CHUNK_BYTES) {
            chunk = new byte[CHUNK_BYTES];
        }
        return length >= 0;
    }

    /** Reads more of an incomplete line; returns false at the end of the stream. */
    private boolean continueLine(LineSink sink) throws IOException {
        if (partialLength == partial.length
                && !reserve(Math.min(lineBytesMax, partialLength + CHUNK_BYTES))) {
            skip(Decoder.OUT_OF_MEMORY);
            return readChunk(sink);
        }
        int room = Math.min(partial.length - partialLength, CHUNK_BYTES);
        if (room == 0) {
            return readChunk(sink);
        }
        int length = in.read(partial, partialLength, room);
        if (length < 0) {
            return false;
        }
        int to = partialLength + length;
        int end = findLineFeed(partial, partialLength, to);
        if (end == to) {
            partialLength = to;
            return true;
        }
        int rest = to - end - 1;
        if (rest > chunk.length) {
            chunk = new byte[CHUNK_BYTES];
        }
        System.arraycopy(partial, end + 1, chunk, 0, rest);
        partialLength = end;
        writeBatch.begin();
        try {
            endLine(0, 0, sink);
            splitChunk(rest, sink);
        } finally {
            writeBatch.end();
        }
        return true;
    }

    private void splitAndFlush(int length, LineSink sink) {
        writeBatch.begin();
        try {
            splitChunk(length, sink);
        } finally {
            writeBatch.end();
        }
    }

    /** Splits the chunk into lines. */
    private void splitChunk(int length, LineSink sink) {
        int from = 0;
        int at = findLineFeed(chunk, 0, length);
        while (at < length) {
            endLine(from, at, sink);
            from = at + 1;
            at = findLineFeed(chunk, from, length);
        }
        append(from, length);
    }

    /** The index of the next line feed, or the end. Eight bytes are compared at a time. */
    private static int findLineFeed(byte[] bytes, int from, int to) {
        int at = from;
        while (at + STRIDE <= to
                && (lineFeedMask(bytes, at)
                                | lineFeedMask(bytes, at + Long.BYTES)
                                | lineFeedMask(bytes, at + 2 * Long.BYTES)
                                | lineFeedMask(bytes, at + 3 * Long.BYTES))
                        == 0) {
            at += STRIDE;
        }
        while (at + Long.BYTES <= to) {
            long zeros = lineFeedMask(bytes, at);
            if (zeros != 0) {
                return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
            }
            at += Long.BYTES;
        }
        while (at < to && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    /** Nonzero if one of eight bytes is a line feed; the lowest set bit belongs to the first. */
    private static long lineFeedMask(byte[] bytes, int at) {
        long other = (long) LONG.get(bytes, at) ^ LINE_FEEDS;
        return (other - ONES) & ~other & HIGHS;
    }

    /** Completes a line with a range of the chunk. */
    private void endLine(int from, int to, LineSink sink) {
        if (partialLength == 0 && skipReason == null && to - from <= lineBytesMax) {
            byte[] line = Arrays.copyOfRange(chunk, from, to);
            emit(line, line.length, sink);
            return;
        }
        append(from, to);
        String why = skipReason;
        if (why != null) {
            skipReason = null;
            firstLineSeen = true;
            sink.onSkippedLine(finder, why);
            finder = Decoder.envelopeFinder();
            return;
        }
        expectedBytes = Math.min(partialLength + SPARE_BYTES, EXPECTED_BYTES_MAX);
        boolean roomy = partialLength < partial.length - partial.length / 4;
        byte[] fitting = roomy ? resizedPartial(partialLength) : null;
        byte[] line = fitting == null ? partial : fitting;
        int length = partialLength;
        partial = EMPTY;
        partialLength = 0;
        emit(line, length, sink);
    }

    private void append(int from, int to) {
        int length = to - from;
        if (skipReason == null && partialLength + length > lineBytesMax) {
            skip("a line of more than %,d bytes".formatted(lineBytesMax));
        } else if (skipReason == null && length > 0 && !reserve(partialLength + length)) {
            skip(Decoder.OUT_OF_MEMORY);
        }
        if (skipReason != null) {
            finder.accept(chunk, from, to);
        } else if (length > 0) {
            System.arraycopy(chunk, from, partial, partialLength, length);
            partialLength += length;
        }
    }

    /** Drops the current line, except for its envelope. */
    private void skip(String why) {
        skipReason = why;
        finder.accept(partial, 0, partialLength);
        partial = EMPTY;
        partialLength = 0;
    }

    /** Reserves room for a line; returns false if there is not enough memory. */
    private boolean reserve(int length) {
        if (length <= partial.length) {
            return true;
        }
        int doubled = (int) Math.min(lineBytesMax, partial.length * 2L);
        int expected = length > CHUNK_BYTES ? Math.min(lineBytesMax, expectedBytes) : 0;
        byte[] larger = resizedPartial(Math.max(Math.max(doubled, expected), length));
        if (larger == null) {
            return false;
        }
        partial = larger;
        return true;
    }

    /** The incomplete line in another array; null if there is not enough memory. */
    private byte @Nullable [] resizedPartial(int length) {
        try {
            return Arrays.copyOf(partial, length);
        } catch (OutOfMemoryError e) {
            return null; // only this line is lost, not the connection
        }
    }

    private void emit(byte[] line, int length, LineSink sink) {
        byte[] text = line;
        int size = length;
        if (!firstLineSeen && hasByteOrderMark(line, length)) {
            text = Arrays.copyOfRange(line, BYTE_ORDER_MARK.length, length);
            size = text.length;
        }
        firstLineSeen = true;
        for (int i = 0; i < size; i++) {
            byte c = text[i];
            if (c != ' ' && c != '\t' && c != '\r') {
                sink.onLine(text, size);
                return;
            }
        }
    }

    private static boolean hasByteOrderMark(byte[] line, int length) {
        int mark = BYTE_ORDER_MARK.length;
        return length > mark && Arrays.equals(line, 0, mark, BYTE_ORDER_MARK, 0, mark);
    }
}

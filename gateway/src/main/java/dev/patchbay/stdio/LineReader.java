package dev.patchbay.stdio;

import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Decoder;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Splits a stream of bytes at line feeds, and only there. A line longer than the limit is not kept:
 * it is skimmed for the members of its envelope and skipped to its end, in bounded memory.
 */
final class LineReader {
    /** What the lines are given to. */
    interface Sink {
        /** A line without its line feed, in an array of its own. Blank lines are left out. */
        void line(byte[] line);

        /** A line beyond the limit, as far as it could be made out. */
        void tooLong(MemberFinder finder);
    }

    private static final int CHUNK_BYTES = 64 * 1024;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private final int lineBytesMax;

    private final Gathering gathering = new Gathering();
    private byte[] partial = new byte[0];
    private int partialLength;
    private boolean skipping;
    private MemberFinder finder = Decoder.envelopeFinder();
    private boolean started;

    LineReader(InputStream in, int lineBytesMax) {
        this.in = in;
        this.lineBytesMax = lineBytesMax;
    }

    /** Reads to the end of the stream. A last line needs no line feed. */
    void run(Sink sink) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        while (true) {
            int length = in.read(chunk);
            if (length < 0) {
                endLine(chunk, 0, 0, sink);
                return;
            }
            gathering.begin();
            try {
                split(chunk, length, sink);
            } finally {
                gathering.end();
            }
        }
    }

    private void split(byte[] chunk, int length, Sink sink) {
        int from = 0;
        for (int at = 0; at < length; at++) {
            if (chunk[at] == '\n') {
                endLine(chunk, from, at, sink);
                from = at + 1;
            }
        }
        keep(chunk, from, length);
    }

    private void endLine(byte[] chunk, int from, int to, Sink sink) {
        if (partialLength == 0 && !skipping && to - from <= lineBytesMax) {
            emit(Arrays.copyOfRange(chunk, from, to), sink);
            return;
        }
        keep(chunk, from, to);
        if (skipping) {
            skipping = false;
            started = true;
            sink.tooLong(finder);
            finder = Decoder.envelopeFinder();
            return;
        }
        byte[] line =
                partialLength == partial.length ? partial : Arrays.copyOf(partial, partialLength);
        partial = new byte[0];
        partialLength = 0;
        emit(line, sink);
    }

    private void keep(byte[] chunk, int from, int to) {
        int length = to - from;
        if (skipping) {
            finder.accept(chunk, from, to);
        } else if (partialLength + length > lineBytesMax) {
            skipping = true;
            finder.accept(partial, 0, partialLength);
            finder.accept(chunk, from, to);
            partial = new byte[0];
            partialLength = 0;
        } else if (length > 0) {
            if (partialLength + length > partial.length) {
                int doubled = (int) Math.min(lineBytesMax, partial.length * 2L);
                partial = Arrays.copyOf(partial, Math.max(doubled, partialLength + length));
            }
            System.arraycopy(chunk, from, partial, partialLength, length);
            partialLength += length;
        }
    }

    private void emit(byte[] line, Sink sink) {
        byte[] text = started ? line : withoutMark(line);
        started = true;
        for (byte c : text) {
            if (c != ' ' && c != '\t' && c != '\r') {
                sink.line(text);
                return;
            }
        }
    }

    private static byte[] withoutMark(byte[] line) {
        int mark = BYTE_ORDER_MARK.length;
        boolean marked =
                line.length > mark && Arrays.equals(line, 0, mark, BYTE_ORDER_MARK, 0, mark);
        return marked ? Arrays.copyOfRange(line, mark, line.length) : line;
    }
}

package dev.patchbay.testkit;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Small random damage to the bytes of a line. */
final class LineMutations {
    private static final byte[] TOKENS = Utf8Text.encode("{}[]\",:\\ue0-+.tfn \t\r\u0000");

    private LineMutations() {}

    /** Damages a line once; the other line is material to mix in. */
    static byte[] apply(MessageGenerator random, byte[] line, byte[] other) {
        if (line.length == 0) {
            return other.clone();
        }
        int at = random.nextInt(line.length);
        int length = 1 + random.nextInt(Math.min(16, line.length - at));
        return switch (random.nextInt(7)) {
            case 0 -> flipped(line, at, 1 << random.nextInt(8));
            case 1 -> replaced(line, at, TOKENS[random.nextInt(TOKENS.length)]);
            case 2 -> joined(head(line, at), tail(line, at + length));
            case 3 -> joined(head(line, at + length), tail(line, at));
            case 4 -> head(line, at);
            case 5 -> joined(head(line, at), tail(other, random.nextInt(other.length + 1)));
            default ->
                    joined(
                            head(line, at),
                            Arrays.copyOf(TOKENS, 1 + random.nextInt(4)),
                            tail(line, at));
        };
    }

    /** The same bytes without a line feed, so that they stay one line. */
    static byte[] oneLine(byte[] bytes) {
        byte[] line = bytes.clone();
        for (int i = 0; i < line.length; i++) {
            line[i] = line[i] == '\n' ? (byte) ' ' : line[i];
        }
        return line;
    }

    private static byte[] flipped(byte[] line, int at, int bits) {
        return replaced(line, at, (byte) (line[at] ^ bits));
    }

    private static byte[] replaced(byte[] line, int at, byte value) {
        byte[] copy = line.clone();
        copy[at] = value;
        return copy;
    }

    private static byte[] head(byte[] line, int to) {
        return Arrays.copyOf(line, to);
    }

    private static byte[] tail(byte[] line, int from) {
        return Arrays.copyOfRange(line, from, line.length);
    }

    private static byte[] joined(byte[]... parts) {
        var whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }
}

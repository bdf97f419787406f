package dev.patchbay.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Bytes and text as failure messages and strict readers need them. */
final class Utf8Text {
    private static final int BRIEF_CHARS_MAX = 400;

    private Utf8Text() {}

    /** The text of these bytes, or nothing if they are not valid UTF-8. */
    static Optional<String> decode(byte[] utf8) {
        try {
            return Optional.of(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(utf8))
                            .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    static byte[] encode(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A text short enough for a message, its invisible characters spelled out. */
    static String abbreviate(String text) {
        boolean cut = text.length() > BRIEF_CHARS_MAX;
        var shown = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), BRIEF_CHARS_MAX); i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7f) {
                shown.append(c);
            } else {
                shown.append(String.format("\\u%04x", (int) c));
            }
        }
        return cut ? shown + "… (" + text.length() + " characters)" : shown.toString();
    }

    /** Bytes short enough for a message, those outside printable ASCII in hexadecimal. */
    static String abbreviate(byte[] bytes) {
        var shown = new StringBuilder();
        for (int i = 0; i < Math.min(bytes.length, BRIEF_CHARS_MAX); i++) {
            int b = bytes[i] & 0xff;
            if (b >= 0x20 && b < 0x7f) {
                shown.append((char) b);
            } else {
                shown.append(String.format("<%02x>", b));
            }
        }
        boolean cut = bytes.length > BRIEF_CHARS_MAX;
        return cut ? shown + "… (" + bytes.length + " bytes)" : shown.toString();
    }
}

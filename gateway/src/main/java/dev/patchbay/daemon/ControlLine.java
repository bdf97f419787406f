package dev.patchbay.daemon;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/**
 * A line between relay and daemon that is no message of the client's session: a JSON string, which
 * no message is. A relay never forwards such a line of its client.
 */
sealed interface ControlLine {
    /** The relay has passed on this many bytes of what the daemon has sent. */
    record Read(long bytes) implements ControlLine {}

    /** The daemon makes room for another one: the relay is to attach to that one. */
    record Move() implements ControlLine {}

    /** The user has stopped the daemon: the relay needs no other one before the next message. */
    record Stopped() implements ControlLine {}

    static boolean isControl(byte[] line, int length) {
        return length > 1 && line[0] == '"';
    }

    /** Reads a line; null if it is not known, and then it has no effect. */
    static @Nullable ControlLine parse(byte[] line, int length) {
        String text = new String(line, 1, length - 2, StandardCharsets.US_ASCII);
        if (text.startsWith("read ")) {
            return new Read(parseNumber(text.substring("read ".length())));
        }
        return switch (text) {
            case "move" -> new Move();
            case "stopped" -> new Stopped();
            default -> null;
        };
    }

    private static long parseNumber(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    default EncodedJson encode() {
        return EncodedJson.of(
                Json.string(
                        switch (this) {
                            case Read read -> "read " + read.bytes;
                            case Move _ -> "move";
                            case Stopped _ -> "stopped";
                        }));
    }
}

package dev.patchbay.history;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * A line of a {@link LineStore}.
 *
 * @param at its time
 */
public record StoredLine(Instant at, Json json) {
    /** Reads a line; null if it is damaged. */
    static @Nullable StoredLine parse(byte[] line) {
        try {
            Json json = Json.parse(line);
            String at = json.isObject() ? json.memberText("at") : null;
            return at == null ? null : new StoredLine(Instant.parse(at), json);
        } catch (JsonException | DateTimeException _) {
            return null;
        }
    }

    /** The text of a member; empty if there is none. */
    String text(String name) {
        String text = json.memberText(name);
        return text == null ? "" : text;
    }

    /** The number of a member; zero if there is none. */
    long number(String name) {
        Json value = json.member(name);
        return value == null ? 0 : value.asLong(0);
    }
}

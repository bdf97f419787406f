package dev.patchbay.history;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * A call of the history, or a note that calls are missing there.
 *
 * @param at when the call began
 * @param json the line of the file
 */
public record RecordedCall(Instant at, Json json) {
    /** Reads a line; null if it is damaged. */
    static @Nullable RecordedCall parse(byte[] line) {
        try {
            Json json = Json.parse(line);
            String at = json.isObject() ? json.memberText("at") : null;
            return at == null ? null : new RecordedCall(Instant.parse(at), json);
        } catch (JsonException | DateTimeException _) {
            return null;
        }
    }

    /** How many calls are missing at this place; 0 if this is a call. */
    public long notRecorded() {
        return number("notRecorded", 0);
    }

    public String server() {
        return text("serverId");
    }

    public String method() {
        return text("method");
    }

    /** The tool, prompt or resource, by the server's own name for it. */
    public String target() {
        return text("target");
    }

    public String client() {
        return text("client");
    }

    public String principal() {
        return text("principal");
    }

    public String via() {
        return text("via");
    }

    public String outcome() {
        return text("outcome");
    }

    public boolean isError() {
        return Json.TRUE.equals(json.member("isError"));
    }

    public long durationMicros() {
        return number("durationMicros", 0);
    }

    /** The error message; empty if there is none. */
    public String error() {
        return text("error");
    }

    /** The start of the arguments; empty if they were not recorded. */
    public String arguments() {
        return text("arguments");
    }

    /** The full name of the tool; for other methods, the method, the server and the target. */
    public String subject() {
        String name = target().isEmpty() ? "" : target();
        if (method().equals("tools/call")) {
            return server().isEmpty() ? name : server() + "." + name;
        }
        return String.join(" ", method(), server(), name).strip();
    }

    /** The call as it is exported: arguments that are complete are JSON and not text. */
    public Json toJson() {
        var writer = new JsonWriter().beginObject();
        for (Json.Member member : json.members()) {
            writer.member(
                    member.name(),
                    member.name().equals("arguments")
                            ? structured(member.value().text())
                            : member.value());
        }
        return writer.endObject().toJson();
    }

    private static Json structured(String text) {
        try {
            return Json.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException _) {
            return Json.string(text);
        }
    }

    private String text(String name) {
        String text = json.memberText(name);
        return text == null ? "" : text;
    }

    private long number(String name, long other) {
        Json value = json.member(name);
        return value == null ? other : value.asLong(other);
    }
}

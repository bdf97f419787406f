package dev.patchbay.history;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A call of the history, or a note that calls are missing there. */
public record RecordedCall(StoredLine line) {
    /** When the call began. */
    public Instant at() {
        return line.at();
    }

    /** The line of the file. */
    public Json json() {
        return line.json();
    }

    /** How many calls are missing at this place; 0 if this is a call. */
    public long notRecorded() {
        return line.number("notRecorded");
    }

    public String server() {
        return line.text("serverId");
    }

    public String method() {
        return line.text("method");
    }

    /** The tool, prompt or resource, by the server's own name for it. */
    public String target() {
        return line.text("target");
    }

    public String client() {
        return line.text("client");
    }

    public String principal() {
        return line.text("principal");
    }

    public String via() {
        return line.text("via");
    }

    public String outcome() {
        return line.text("outcome");
    }

    public boolean isError() {
        return Json.TRUE.equals(json().member("isError"));
    }

    public long durationMicros() {
        return line.number("durationMicros");
    }

    /** The error message; empty if there is none. */
    public String error() {
        return line.text("error");
    }

    /** The start of the arguments; empty if they were not recorded. */
    public String arguments() {
        return line.text("arguments");
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
        for (Json.Member member : json().members()) {
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
}

package dev.patchbay.daemon;

import dev.patchbay.json.ElementCursor;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The daemon's answer to a {@link DaemonRequest}. */
public sealed interface DaemonReply {
    /** Messages for the user, such as warnings about the configuration. */
    List<String> messages();

    /**
     * From now on the connection carries messages of the client's session.
     *
     * @param lineBytesMax the longest line of a client that is accepted
     */
    record Accepted(int lineBytesMax, List<String> messages) implements DaemonReply {
        public Accepted {
            messages = List.copyOf(messages);
        }
    }

    /** The command runs: {@link CommandEvent}s follow. */
    record Running() implements DaemonReply {
        @Override
        public List<String> messages() {
            return List.of();
        }
    }

    /** The connection is closed. */
    record Refused(Reason reason, String message, int exitCode, List<String> messages)
            implements DaemonReply {
        public Refused {
            messages = List.copyOf(messages);
        }
    }

    /** The answer to a request for a status, or a request that was carried out. */
    record Done(Json status) implements DaemonReply {
        @Override
        public List<String> messages() {
            return List.of();
        }
    }

    /** Why a relay is not connected, or a command does not run. */
    enum Reason {
        /** The configuration does not allow it; the message and the exit code say why. */
        CONFIGURATION,
        /** The daemon is ending, or makes room for a newer build. */
        ENDING,
        /** The daemon has no gateway for the configuration of the command. */
        NO_GATEWAY,
        /** The daemon does not understand the request. */
        UNKNOWN_REQUEST
    }

    /** The line, without its line feed. */
    default Json toJson() {
        var writer = new JsonWriter().beginObject();
        switch (this) {
            case Accepted accepted ->
                    writer.member("reply", "accepted")
                            .member("lineBytesMax", accepted.lineBytesMax);
            case Running _ -> writer.member("reply", "running");
            case Refused refused ->
                    writer.member("reply", "refused")
                            .member("reason", refused.reason.name().toLowerCase(Locale.ROOT))
                            .member("message", refused.message)
                            .member("exitCode", refused.exitCode);
            case Done done -> writer.member("reply", "done").member("status", done.status);
        }
        writer.name("messages").beginArray();
        messages().forEach(writer::string);
        return writer.endArray().endObject().toJson();
    }

    /** Reads a line; null if it is none of this protocol. */
    static @Nullable DaemonReply parse(Json line) {
        String reply = line.memberText("reply");
        return switch (reply == null ? "" : reply) {
            case "accepted" -> new Accepted(number(line, "lineBytesMax"), readMessages(line));
            case "running" -> new Running();
            case "refused" ->
                    new Refused(
                            parseReason(line),
                            String.valueOf(line.memberText("message")),
                            number(line, "exitCode"),
                            readMessages(line));
            case "done" -> {
                Json status = line.member("status");
                yield new Done(status == null ? Json.EMPTY_OBJECT : status);
            }
            default -> null;
        };
    }

    private static Reason parseReason(Json line) {
        String name = String.valueOf(line.memberText("reason")).toUpperCase(Locale.ROOT);
        for (Reason reason : Reason.values()) {
            if (reason.name().equals(name)) {
                return reason;
            }
        }
        return Reason.UNKNOWN_REQUEST;
    }

    private static int number(Json line, String name) {
        Json value = line.member(name);
        return value == null ? 0 : (int) value.asLong(0);
    }

    private static List<String> readMessages(Json line) {
        Json messages = line.member("messages");
        var texts = new ArrayList<String>();
        if (messages != null) {
            ElementCursor cursor = messages.elementCursor();
            while (cursor.next()) {
                if (cursor.value().isString()) {
                    texts.add(cursor.value().text());
                }
            }
        }
        return texts;
    }
}

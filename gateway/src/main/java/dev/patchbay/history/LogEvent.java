package dev.patchbay.history;

import dev.patchbay.json.Json;

import java.time.Instant;

/** Something that happened to a gateway or to one of its servers, or a line that a server wrote. */
public record LogEvent(StoredLine line) {
    /** A gateway began to serve. */
    public static final String GATEWAY_STARTED = "gateway-started";

    /** A gateway ended. One that was killed has no such event. */
    public static final String GATEWAY_ENDED = "gateway-ended";

    /** A server wrote a line to its standard error. */
    public static final String STDERR = "stderr";

    /** A server sent a log message. */
    public static final String MESSAGE = "message";

    public Instant at() {
        return line.at();
    }

    public Json json() {
        return line.json();
    }

    /** {@code debug}, {@code info}, {@code warning} or {@code error}. */
    public String level() {
        return line.text("level");
    }

    /** The id of the server; empty if it concerns the gateway. */
    public String server() {
        return line.text("serverId");
    }

    /** What happened: one of the constants, or the new state of the server. */
    public String event() {
        return line.text("event");
    }

    public String message() {
        return line.text("message");
    }

    /** How clients reach the gateway. */
    public String via() {
        return line.text("via");
    }

    /** The configuration file of a gateway that started; empty if it has none. */
    public String config() {
        return line.text("config");
    }

    /** The process of the gateway. */
    public long pid() {
        return line.number("pid");
    }

    /** The reason of a failure; empty if it is none. */
    public String reason() {
        return line.text("reason");
    }

    /** How many events are missing at this place; 0 if this is an event. */
    public long notRecorded() {
        return line.number("notRecorded");
    }
}

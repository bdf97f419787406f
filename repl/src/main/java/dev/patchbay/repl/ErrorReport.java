package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * An exception that the code of a session did not catch.
 *
 * @param className the class of the exception, as it was named
 * @param trace where it happened, innermost first
 * @param cause what caused it; null if nothing did
 */
public record ErrorReport(
        String className, String message, List<Frame> trace, @Nullable ErrorReport cause) {
    /** The frames that a short form shows, and how many of them whosever code they are in. */
    private static final int FRAMES_SHOWN_MAX = 8;

    private static final int INNERMOST_SHOWN_MAX = 2;

    public ErrorReport {
        trace = List.copyOf(trace);
    }

    /**
     * A place in a trace.
     *
     * @param snippet the number of the snippet; empty for code of a library
     * @param file the file of a library's code; empty if unknown
     * @param line zero if unknown
     */
    public record Frame(String method, String snippet, String file, int line) {
        static Frame from(Json json) {
            return new Frame(
                    JsonFields.text(json, "at"),
                    JsonFields.text(json, "snippet"),
                    JsonFields.text(json, "file"),
                    (int) JsonFields.number(json, "line"));
        }

        @Override
        public String toString() {
            if (!snippet.isEmpty()) {
                String place = "snippet " + snippet + ", line " + line;
                return method.isEmpty() ? "at " + place : "at " + method + " (" + place + ")";
            }
            String place = line > 0 ? file + ":" + line : file;
            return place.isEmpty() ? "at " + method : "at " + method + " (" + place + ")";
        }
    }

    static ErrorReport from(Json json) {
        Json cause = json.member("cause");
        return new ErrorReport(
                JsonFields.text(json, "class"),
                JsonFields.text(json, "message"),
                JsonFields.elements(json, "trace").stream().map(Frame::from).toList(),
                cause == null ? null : from(cause));
    }

    /** The class, and the message behind it if there is one. */
    public String summary() {
        return message.isEmpty() ? className : className + ": " + message;
    }

    /**
     * The headline, the frames nearest to the fault, and those of the session's own code; the whole
     * is for who asks for it.
     */
    String shortText() {
        var text = new StringBuilder(summary());
        int shown = 0;
        int hidden = 0;
        for (int i = 0; i < trace.size(); i++) {
            boolean own = !trace.get(i).snippet().isEmpty();
            if (shown < FRAMES_SHOWN_MAX && (own || i < INNERMOST_SHOWN_MAX)) {
                text.append(omittedFrames(hidden)).append("\n  ").append(trace.get(i));
                shown++;
                hidden = 0;
            } else {
                hidden++;
            }
        }
        text.append(omittedFrames(hidden));
        for (ErrorReport next = cause; next != null; next = next.cause()) {
            text.append("\nCaused by: ").append(next.summary());
        }
        return text.toString();
    }

    private static String omittedFrames(int frames) {
        return frames == 0 ? "" : "\n  … " + frames + (frames == 1 ? " frame" : " frames");
    }

    /** Everything: all frames, and the causes with theirs. */
    String fullText() {
        var text = new StringBuilder();
        String prefix = "";
        for (ErrorReport next = this; next != null; next = next.cause()) {
            text.append(prefix).append(next.summary());
            prefix = "\nCaused by: ";
            next.trace().forEach(frame -> text.append("\n  ").append(frame));
        }
        return text.toString();
    }

    void write(JsonWriter target) {
        target.beginObject().member("class", className).member("message", message);
        target.name("trace").beginArray();
        trace.forEach(frame -> target.string(frame.toString()));
        target.endArray();
        if (cause != null) {
            target.name("cause");
            cause.write(target);
        }
        target.endObject();
    }
}

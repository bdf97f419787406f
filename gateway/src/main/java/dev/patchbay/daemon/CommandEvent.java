package dev.patchbay.daemon;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

/** A line that the daemon sends while it runs a command. */
public sealed interface CommandEvent {
    /** Text for standard output. */
    record Output(String text) implements CommandEvent {}

    /** Text for standard error. */
    record Message(String text) implements CommandEvent {}

    /** The command has ended. No more lines follow. */
    record Ended(int exitCode) implements CommandEvent {}

    /** Takes the output of a command, in the process of the user. */
    interface Receiver {
        void output(String text);

        void message(String text);
    }

    /** The line, without its line feed. */
    default Json toJson() {
        var writer = new JsonWriter().beginObject();
        switch (this) {
            case Output(String text) -> writer.member("output", text);
            case Message(String text) -> writer.member("message", text);
            case Ended(int exitCode) -> writer.member("exitCode", exitCode);
        }
        return writer.endObject().toJson();
    }

    /** Reads a line; null if it is not known, and then it has no effect. */
    static @Nullable CommandEvent parse(Json line) {
        String output = line.memberText("output");
        if (output != null) {
            return new Output(output);
        }
        String message = line.memberText("message");
        if (message != null) {
            return new Message(message);
        }
        Json exitCode = line.member("exitCode");
        return exitCode == null ? null : new Ended((int) exitCode.asLong(1));
    }
}

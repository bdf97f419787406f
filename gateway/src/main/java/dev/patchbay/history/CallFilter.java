package dev.patchbay.history;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Locale;

/**
 * Which calls of the history are wanted. An absent or empty part fits every call.
 *
 * @param server the id of the server
 * @param tool the name of the tool, prompt or resource, with or without the id of the server
 * @param client a part of the name of the client or of its principal
 * @param text a part of the name, the arguments or the error
 * @param isFailedOnly whether only calls that failed are wanted
 * @param since the earliest beginning of a call
 */
public record CallFilter(
        String server,
        String tool,
        String client,
        String text,
        boolean isFailedOnly,
        @Nullable Instant since) {
    public static final CallFilter ALL = new CallFilter("", "", "", "", false, null);

    public StoredLineReader.Query<RecordedCall> query() {
        return new StoredLineReader.Query<>(this::fits, since);
    }

    /** Whether a call is wanted. Notes about missing calls always are. */
    public boolean fits(RecordedCall call) {
        if (call.notRecorded() > 0) {
            return true;
        }
        return (server.isEmpty() || call.server().equals(server))
                && (tool.isEmpty() || fitsTool(call))
                && (client.isEmpty()
                        || contains(call.client(), client)
                        || contains(call.principal(), client))
                && (text.isEmpty()
                        || contains(call.subject(), text)
                        || contains(call.arguments(), text)
                        || contains(call.error(), text))
                && (!isFailedOnly || call.isError());
    }

    private boolean fitsTool(RecordedCall call) {
        return call.target().equals(tool) || call.subject().equals(tool);
    }

    private static boolean contains(String text, String part) {
        return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}

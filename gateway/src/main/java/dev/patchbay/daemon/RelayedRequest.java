package dev.patchbay.daemon;

import dev.patchbay.jsonrpc.Message.Request;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/**
 * Requests that a client sent in one line and that have no answer yet. A batch has several. Guarded
 * by the {@link SessionRecord}.
 */
final class RelayedRequest {
    static final String INITIALIZE = "initialize";
    static final String SET_LEVEL = "logging/setLevel";
    static final String SUBSCRIBE = "resources/subscribe";
    static final String UNSUBSCRIBE = "resources/unsubscribe";
    static final String LISTEN = "subscriptions/listen";
    static final String CALL_TOOL = "tools/call";

    /**
     * The methods that change nothing at a server, or whose repetition has the same effect. All
     * others are sent once.
     */
    private static final Set<String> REPEATABLE =
            Set.of(
                    INITIALIZE,
                    SET_LEVEL,
                    SUBSCRIBE,
                    UNSUBSCRIBE,
                    LISTEN,
                    "ping",
                    "server/discover",
                    "tools/list",
                    "prompts/list",
                    "prompts/get",
                    "resources/list",
                    "resources/templates/list",
                    "resources/read",
                    "completion/complete",
                    "tasks/get",
                    "tasks/result",
                    "tasks/cancel");

    private final List<Request> requests;
    private final boolean isBatch;
    private final boolean isRepeatable;

    /** The line as the client wrote it; null when it will not be sent again. */
    private @Nullable Line line;

    private int link;

    RelayedRequest(List<Request> requests, boolean isBatch, Line line, int link) {
        this.requests = List.copyOf(requests);
        this.isBatch = isBatch;
        this.isRepeatable = requests.stream().allMatch(it -> REPEATABLE.contains(it.method()));
        this.line = line;
        this.link = link;
    }

    /** A line without its line feed, at the start of an array. */
    static final class Line {
        private final byte[] bytes;
        private final int length;

        Line(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }

        byte[] bytes() {
            return bytes;
        }

        int length() {
            return length;
        }
    }

    List<Request> requests() {
        return requests;
    }

    boolean isBatch() {
        return isBatch;
    }

    boolean has(String method) {
        return requests.stream().anyMatch(it -> it.method().equals(method));
    }

    /** The link that the line was sent over, or is to be sent over. */
    int link() {
        return link;
    }

    /** The line, if it may be sent over another link; null if it was sent and is not repeatable. */
    @Nullable Line line() {
        return line;
    }

    /** The whole line was handed over: the daemon may have read it. */
    void markSent() {
        if (!isRepeatable) {
            line = null;
        }
    }

    void moveTo(int other) {
        link = other;
    }
}

package dev.patchbay.history;

import dev.patchbay.gateway.CallObserver;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.server.ServerId;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Records the calls of a gateway's clients on disk. Nothing is created or started before the first
 * call. Results are not recorded, except for their outcome, their size and the message of an error.
 */
public final class CallHistory implements CallObserver, AutoCloseable {
    static final String PREFIX = "calls";

    private static final int NAME_CHARS_MAX = 200;
    private static final int ERROR_CHARS_MAX = 500;
    private static final int ARGUMENTS_BYTES_MAX = 2 * 1024;

    private final Settings settings;
    private final Supplier<SecretRedactor> redactor;
    private final InstantSource clock;
    private final Ticker ticker;
    private volatile @Nullable LineRecorder<PendingCall> recorder;
    private boolean isClosed;

    /** What is recorded of the arguments of a call. */
    public enum Arguments {
        NONE,
        /** The start, with secrets masked. */
        REDACTED,
        /** The start, as the client sent it. */
        FULL
    }

    /**
     * Where and what to record.
     *
     * @param via how clients reach the gateway: {@code stdio}, {@code http}, {@code daemon} or
     *     {@code command}
     */
    public record Settings(Path folder, long bytesMax, Arguments arguments, String via) {}

    /**
     * A call that was not written yet.
     *
     * @param responseBytes -1 if there was no response
     */
    private record PendingCall(
            CallObserver.EndedCall call,
            long endedMillis,
            OutcomeLabel outcome,
            @Nullable String error,
            @Nullable JsonExcerpt arguments,
            int requestBytes,
            int responseBytes) {}

    public CallHistory(
            Settings settings,
            Supplier<SecretRedactor> redactor,
            InstantSource clock,
            Ticker ticker) {
        this.settings = settings;
        this.redactor = redactor;
        this.clock = clock;
        this.ticker = ticker;
    }

    @Override
    public void callEnded(EndedCall call) {
        LineRecorder<PendingCall> known = recorder;
        if (known == null) {
            known = start();
        }
        if (known != null && known.hasRoom()) {
            known.add(pending(call));
        }
    }

    private synchronized @Nullable LineRecorder<PendingCall> start() {
        if (recorder == null && !isClosed) {
            var store = new LineStore(settings.folder, PREFIX, settings.bytesMax);
            var format = new CallFormat();
            recorder = new LineRecorder<>("history", store, format, ticker);
        }
        return recorder;
    }

    /** Keeps what is to be written, and no reference to a payload. */
    private PendingCall pending(EndedCall call) {
        Json response = response(call.result());
        Json arguments =
                settings.arguments == Arguments.NONE ? null : call.params().member("arguments");
        var names =
                new EndedCall(
                        call.server(),
                        CallErrorText.truncate(call.method(), NAME_CHARS_MAX),
                        CallErrorText.truncate(call.target(), NAME_CHARS_MAX),
                        CallErrorText.truncate(call.client(), NAME_CHARS_MAX),
                        call.principal(),
                        Json.EMPTY_OBJECT,
                        null,
                        call.startedNanos(),
                        call.endedNanos(),
                        call.span());
        OutcomeLabel outcome = OutcomeLabel.of(call.result());
        return new PendingCall(
                names,
                clock.millis(),
                outcome,
                error(call.result(), outcome),
                arguments == null ? null : JsonExcerpt.of(arguments, ARGUMENTS_BYTES_MAX),
                call.params().length(),
                response == null ? -1 : response.length());
    }

    /** The error message; of a tool that reported an error, the first text of its result. */
    private static @Nullable String error(@Nullable CallResult result, OutcomeLabel outcome) {
        if (outcome.equals(OutcomeLabel.TOOL_ERROR)
                && result instanceof CallResult.Answered(_, Json answer)) {
            Json content = answer.member("content");
            Json first =
                    content == null || !content.isArray() || content.elements().isEmpty()
                            ? Json.EMPTY_OBJECT
                            : content.elements().getFirst();
            String text = first.isObject() ? first.memberText("text") : null;
            return text == null ? null : CallErrorText.truncate(text, ERROR_CHARS_MAX);
        }
        return CallErrorText.of(result, ERROR_CHARS_MAX);
    }

    private static @Nullable Json response(@Nullable CallResult result) {
        return switch (result) {
            case CallResult.Answered(_, Json answer) -> answer;
            case CallResult.ServerError(_, RpcError error) ->
                    error.data() == null ? Json.EMPTY_OBJECT : error.data();
            case null, default -> null;
        };
    }

    /** Writes what was recorded before. */
    @Override
    public void close() {
        LineRecorder<PendingCall> open;
        synchronized (this) {
            isClosed = true;
            open = recorder;
        }
        if (open != null) {
            open.close();
        }
    }

    /** The lines of the file. */
    private final class CallFormat implements LineRecorder.Format<PendingCall> {
        private final long pid = ProcessHandle.current().pid();

        @Override
        public Json line(PendingCall pending) {
            EndedCall call = pending.call;
            SecretRedactor redaction = redactor.get();
            long micros = (call.endedNanos() - call.startedNanos()) / 1_000;
            ServerId server = call.server();
            var at = Instant.ofEpochMilli(pending.endedMillis - micros / 1_000);
            var writer =
                    new JsonWriter()
                            .beginObject()
                            .member("at", at.toString())
                            .member("client", call.client())
                            .member("principal", call.principal())
                            .member("via", settings.via)
                            .member("pid", pid)
                            .member("serverId", server == null ? "" : server.value())
                            .member("method", call.method())
                            .member("target", redaction.redact(call.target()))
                            .member("outcome", pending.outcome.text())
                            .member("isError", pending.outcome.isError())
                            .member("durationMicros", micros)
                            .member("requestBytes", pending.requestBytes);
            if (pending.responseBytes >= 0) {
                writer.member("responseBytes", pending.responseBytes);
            }
            if (pending.error != null) {
                writer.member("error", redaction.redact(pending.error));
            }
            if (pending.arguments != null) {
                writer.member("arguments", text(pending.arguments, redaction))
                        .member("argumentsCut", pending.arguments.isTruncated());
            }
            return writer.endObject().toJson();
        }

        private String text(JsonExcerpt arguments, SecretRedactor redaction) {
            return settings.arguments == Arguments.FULL
                    ? arguments.text()
                    : redaction.redactCredentials(arguments.text());
        }

        @Override
        public Json gap(long count) {
            return new JsonWriter()
                    .beginObject()
                    .member("at", clock.instant().toString())
                    .member("via", settings.via)
                    .member("pid", pid)
                    .member("notRecorded", count)
                    .endObject()
                    .toJson();
        }
    }
}

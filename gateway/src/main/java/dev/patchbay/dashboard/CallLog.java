package dev.patchbay.dashboard;

import dev.patchbay.gateway.CallObserver;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.history.CallErrorText;
import dev.patchbay.history.JsonExcerpt;
import dev.patchbay.history.OutcomeLabel;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The last calls, in a ring buffer: the newest replaces the oldest. */
final class CallLog {
    static final int CALLS_MAX = 512;

    /** How much of a request or response is kept. */
    static final int UNWATCHED_BYTES_MAX = 2 * 1024;

    /** The same while a page is open. */
    static final int WATCHED_BYTES_MAX = 32 * 1024;

    private static final int NAME_CHARS_MAX = 200;
    private static final int ERROR_CHARS_MAX = 4_000;

    private final AtomicReferenceArray<@Nullable Entry> ring =
            new AtomicReferenceArray<>(CALLS_MAX);
    private final AtomicLong next = new AtomicLong();

    /**
     * A call that has ended.
     *
     * @param error the error message; null if the call succeeded
     * @param result the result or the error data; null if the server did not answer
     */
    record Entry(
            long number,
            CallObserver.EndedCall call,
            OutcomeLabel outcome,
            @Nullable String error,
            JsonExcerpt params,
            @Nullable JsonExcerpt result) {}

    void add(CallObserver.EndedCall call, OutcomeLabel ending, boolean watched) {
        int bytesMax = watched ? WATCHED_BYTES_MAX : UNWATCHED_BYTES_MAX;
        Json answer = answer(call.result());
        long number = next.getAndIncrement();
        var entry =
                new Entry(
                        number,
                        withoutPayload(call),
                        ending,
                        CallErrorText.of(call.result(), ERROR_CHARS_MAX),
                        JsonExcerpt.of(call.params(), bytesMax),
                        answer == null ? null : JsonExcerpt.of(answer, bytesMax));
        ring.set((int) (number % CALLS_MAX), entry);
    }

    /** The call without its payload. */
    private static CallObserver.EndedCall withoutPayload(CallObserver.EndedCall call) {
        return new CallObserver.EndedCall(
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
    }

    private static @Nullable Json answer(@Nullable CallResult reply) {
        return switch (reply) {
            case CallResult.Answered(_, Json result) -> result;
            case CallResult.ServerError(_, RpcError error) -> error.data();
            case null, default -> null;
        };
    }

    /** The number of the next call. */
    long next() {
        return next.get();
    }

    /** The kept calls from this number on, the oldest first. */
    List<Entry> since(long number) {
        long end = next.get();
        var entries = new ArrayList<Entry>();
        for (long at = Math.max(Math.max(0, number), end - CALLS_MAX); at < end; at++) {
            find(at).ifPresent(entries::add);
        }
        return entries;
    }

    Optional<Entry> find(long number) {
        Entry entry = number < 0 ? null : ring.get((int) (number % CALLS_MAX));
        return Optional.ofNullable(entry).filter(it -> it.number() == number);
    }
}

package dev.patchbay.server;

import static dev.patchbay.mcp.ProtocolVersion.NEWEST_LEGACY;
import static dev.patchbay.mcp.ProtocolVersion.NEWEST_MODERN;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.ServerSpec.EraChoice;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The first words with a server, which find out the era it speaks. A server whose era is not known
 * is asked for {@code server/discover}; whatever is no clear answer of the modern era means legacy,
 * and {@code initialize} follows on the same connection.
 */
final class Handshake {
    /** What we can pass on to a client, in the form of the legacy era. */
    private static final Json LEGACY_CAPABILITIES =
            Json.of(
                    """
                    {"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}\
                    """);

    private static final Duration PROBE_MAX = Duration.ofSeconds(3);
    private static final int SHOWN_CHARS_MAX = 300;

    /** How the question for the modern era was answered. */
    private sealed interface Verdict {
        record Modern(LinkFacts facts) implements Verdict {}

        /** {@code answered} is false if the server only kept silent. */
        record Legacy(boolean answered) implements Verdict {}
    }

    private final EraChoice choice;
    private final Implementation client;
    private final EraMemory memory;

    Handshake(EraChoice choice, Implementation client, EraMemory memory) {
        this.choice = choice;
        this.client = client;
        this.memory = memory;
    }

    /**
     * Comes to terms with the server over a link that nobody else has yet. Where there will be no
     * other attempt it is greeted before it is asked: some servers end on a question they do not
     * know.
     */
    void agree(LiveLink link, Duration timeout, boolean last)
            throws ConnectFailed, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Era known =
                switch (choice) {
                    case AUTO -> memory.era();
                    case LEGACY -> Era.LEGACY;
                    case MODERN -> Era.MODERN;
                };
        if (known == Era.LEGACY) {
            greet(link, deadline);
            return;
        }
        if (known == null && last && link.isEraToldBySilence()) {
            fallBack(link, deadline, false);
            return;
        }
        boolean hasty = known == null && link.isEraToldBySilence();
        switch (probe(link, hasty ? probeDeadline(timeout, deadline) : deadline)) {
            case Verdict.Modern(LinkFacts facts) -> establish(link, facts);
            case Verdict.Legacy(boolean answered) -> fallBack(link, deadline, answered);
        }
    }

    private void greet(LiveLink link, long deadline) throws ConnectFailed, InterruptedException {
        Optional<RpcError> refusal = initialize(link, deadline, NEWEST_LEGACY);
        if (refusal.isPresent()) {
            memory.forget();
            throw refused("initialize", refusal.get());
        }
    }

    private static long probeDeadline(Duration timeout, long deadline) {
        long third = timeout.toNanos() / 3;
        return deadline - timeout.toNanos() + Math.min(third, PROBE_MAX.toNanos());
    }

    private void fallBack(LiveLink link, long deadline, boolean answered)
            throws ConnectFailed, InterruptedException {
        if (choice == EraChoice.MODERN) {
            throw answered
                    ? ConnectFailed.because(
                            Symptom.NO_COMMON_VERSION, "it does not speak " + NEWEST_MODERN.text())
                    : ConnectFailed.late("no answer to server/discover");
        }
        Optional<RpcError> refusal = initialize(link, deadline, NEWEST_LEGACY);
        if (refusal.isEmpty()) {
            return;
        }
        memory.forget();
        // It may have been too slow to hear the first question before the one it refused.
        if (!answered && probe(link, deadline) instanceof Verdict.Modern(LinkFacts facts)) {
            establish(link, facts);
        } else {
            throw refused("initialize", refusal.get());
        }
    }

    private void establish(LiveLink link, LinkFacts facts) {
        memory.learn(facts.version().era());
        link.establish(facts, client);
    }

    private Verdict probe(LiveLink link, long deadline) throws ConnectFailed, InterruptedException {
        CallOutcome outcome = link.plainCall("server/discover", discoverParams(), left(deadline));
        if (outcome instanceof CallOutcome.Refused(RpcError error)
                && supported(error).contains(NEWEST_MODERN.text())) {
            outcome = link.plainCall("server/discover", discoverParams(), left(deadline));
            if (outcome instanceof CallOutcome.Refused(RpcError again)) {
                throw refused("server/discover", again);
            }
        }
        return switch (outcome) {
            case CallOutcome.Result(Json result) -> discovered(result);
            case CallOutcome.Refused(RpcError error) -> refused(error);
            case CallOutcome.Invalid _ -> new Verdict.Legacy(true);
            case CallOutcome.TimedOut _ when !link.isEraToldBySilence() ->
                    throw ConnectFailed.late("no answer to server/discover");
            case CallOutcome.TimedOut _ -> new Verdict.Legacy(false);
            case CallOutcome.Lost(String why) -> throw ended(link, why);
            case CallOutcome.NotSent(String why) -> throw ended(link, why);
            case CallOutcome.Unauthorized(String why) -> throw ConnectFailed.unauthorized(why);
        };
    }

    /** A server may end because it is asked before it is greeted; the next attempt greets it. */
    private ConnectFailed ended(LiveLink link, String why) {
        boolean open = choice == EraChoice.AUTO && memory.era() != Era.MODERN;
        if (!open || !link.isEraToldBySilence()) {
            return ConnectFailed.because(Symptom.ENDED, why);
        }
        memory.learn(Era.LEGACY);
        return ConnectFailed.wiser(why);
    }

    private static Verdict discovered(Json result) {
        if (!texts(result.member("supportedVersions")).contains(NEWEST_MODERN.text())) {
            return new Verdict.Legacy(true);
        }
        Json meta = result.member(MetaKeys.META);
        Json info = meta == null ? null : meta.member(MetaKeys.SERVER_INFO);
        return new Verdict.Modern(facts(NEWEST_MODERN, result, info));
    }

    private static Verdict refused(RpcError error) throws ConnectFailed {
        List<String> supported = supported(error);
        if (!supported.isEmpty() && areNewer(supported)) {
            throw ConnectFailed.because(
                    Symptom.NO_COMMON_VERSION,
                    "it speaks only " + shown(String.join(", ", supported)));
        }
        return new Verdict.Legacy(true);
    }

    private static boolean areNewer(List<String> versions) {
        for (String version : versions) {
            if (version.compareTo(NEWEST_MODERN.text()) <= 0) {
                return false;
            }
        }
        return true;
    }

    /** Greets the server in the legacy way; what it says if it wants none of it. */
    private Optional<RpcError> initialize(LiveLink link, long deadline, ProtocolVersion version)
            throws ConnectFailed, InterruptedException {
        CallOutcome outcome =
                link.plainCall("initialize", initializeParams(version), left(deadline));
        if (outcome instanceof CallOutcome.Refused(RpcError error)) {
            Optional<ProtocolVersion> other = offered(error).filter(offer -> offer != version);
            return other.isEmpty() ? Optional.of(error) : initialize(link, deadline, other.get());
        }
        Json result =
                switch (outcome) {
                    case CallOutcome.Result(Json value) -> value;
                    case CallOutcome.TimedOut _ ->
                            throw ConnectFailed.late("no answer to initialize");
                    case CallOutcome.Invalid(String why, _) ->
                            throw ConnectFailed.because(
                                    Symptom.ANSWERED_WRONGLY, "its answer to initialize: " + why);
                    case CallOutcome.Lost(String why) ->
                            throw ConnectFailed.because(Symptom.ENDED, why);
                    case CallOutcome.NotSent(String why) ->
                            throw ConnectFailed.because(Symptom.ENDED, why);
                    case CallOutcome.Unauthorized(String why) ->
                            throw ConnectFailed.unauthorized(why);
                    case CallOutcome.Refused _ -> throw new AssertionError(outcome);
                };
        String agreed = result.memberText("protocolVersion");
        Optional<ProtocolVersion> spoken = ProtocolVersion.of(agreed == null ? "" : agreed);
        if (spoken.isEmpty()) {
            throw ConnectFailed.because(
                    Symptom.NO_COMMON_VERSION,
                    "it wants to speak version " + shown(agreed == null ? "none" : agreed));
        }
        establish(link, facts(spoken.get(), result, result.member("serverInfo")));
        link.send("notifications/initialized", null);
        return Optional.empty();
    }

    /** The newest version of the legacy era that a refusal offers instead. */
    private static Optional<ProtocolVersion> offered(RpcError error) {
        return supported(error).stream()
                .flatMap(text -> ProtocolVersion.of(text).stream())
                .filter(version -> version.era() == Era.LEGACY)
                .max(Comparator.naturalOrder());
    }

    private static List<String> supported(RpcError error) {
        Json data = error.data();
        return data == null ? List.of() : texts(data.member("supported"));
    }

    private static List<String> texts(@Nullable Json array) {
        return array == null || !array.isArray()
                ? List.of()
                : array.elements().stream().filter(Json::isString).map(Json::text).toList();
    }

    private static ConnectFailed refused(String method, RpcError error) {
        return ConnectFailed.because(
                Symptom.REFUSED,
                "it refused %s: %s (%d)".formatted(method, shown(error.message()), error.code()));
    }

    private static String shown(String text) {
        String cut =
                text.length() > SHOWN_CHARS_MAX ? text.substring(0, SHOWN_CHARS_MAX) + "…" : text;
        return cut.replaceAll("\\p{Cntrl}", " ");
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    private Json discoverParams() {
        return new Envelope(NEWEST_MODERN, client)
                .around(Json.EMPTY_OBJECT, CallOptions.own(Duration.ZERO), 0);
    }

    private Json initializeParams(ProtocolVersion version) {
        return new JsonWriter()
                .beginObject()
                .member("protocolVersion", version.text())
                .member("capabilities", LEGACY_CAPABILITIES)
                .member("clientInfo", client.toJson())
                .endObject()
                .toJson();
    }

    private static LinkFacts facts(ProtocolVersion version, Json result, @Nullable Json info) {
        Json capabilities = result.member("capabilities");
        return new LinkFacts(
                version,
                Implementation.of(info == null ? Json.EMPTY_OBJECT : info),
                capabilities == null || !capabilities.isObject()
                        ? Json.EMPTY_OBJECT
                        : capabilities.detached(),
                result.memberText("instructions"));
    }
}

package dev.patchbay.server;

import static dev.patchbay.mcp.ProtocolVersion.NEWEST_LEGACY;
import static dev.patchbay.mcp.ProtocolVersion.NEWEST_MODERN;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.text.DisplayText;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The handshake with a server, which determines its era. A server of unknown era gets {@code
 * server/discover}; anything but a clear modern response means legacy, and {@code initialize}
 * follows on the same connection.
 */
final class Handshake {
    /** The capabilities that the gateway can forward to clients, in legacy form. */
    private static final Json LEGACY_CAPABILITIES =
            Json.of(
                    """
                    {"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}\
                    """);

    private static final Duration PROBE_TIMEOUT_MAX = Duration.ofSeconds(3);

    /** The result of probing for the modern era. */
    private sealed interface EraProbeResult {
        record Modern(HandshakeResult result) implements EraProbeResult {}

        /** {@code hasAnswered} is false if the server did not answer at all. */
        record Legacy(boolean hasAnswered) implements EraProbeResult {}
    }

    private final EraChoice eraChoice;
    private final Implementation clientInfo;
    private final EraCache eraCache;
    private final Ticker ticker;

    Handshake(EraChoice choice, Implementation client, EraCache memory, Ticker ticker) {
        this.eraChoice = choice;
        this.clientInfo = client;
        this.eraCache = memory;
        this.ticker = ticker;
    }

    /**
     * Performs the handshake on a new session. On the last attempt, {@code initialize} comes first:
     * some servers exit on an unknown request.
     */
    void perform(JsonRpcServerSession link, Duration timeout, boolean last)
            throws ConnectFailedException, InterruptedException {
        long deadline = ticker.deadlineAfter(timeout);
        Era known =
                switch (eraChoice) {
                    case AUTO -> eraCache.era();
                    case LEGACY -> Era.LEGACY;
                    case MODERN -> Era.MODERN;
                };
        if (known == Era.LEGACY) {
            initializeOrFail(link, deadline);
            return;
        }
        if (known == null && last && link.treatsSilenceAsLegacy()) {
            fallBackToLegacy(link, deadline, false);
            return;
        }
        boolean hasty = known == null && link.treatsSilenceAsLegacy();
        switch (probeModern(link, hasty ? probeDeadline(timeout, deadline) : deadline)) {
            case EraProbeResult.Modern(HandshakeResult facts) -> complete(link, facts);
            case EraProbeResult.Legacy(boolean answered) ->
                    fallBackToLegacy(link, deadline, answered);
        }
    }

    private void initializeOrFail(JsonRpcServerSession link, long deadline)
            throws ConnectFailedException, InterruptedException {
        Optional<RpcError> refusal = initialize(link, deadline, NEWEST_LEGACY);
        if (refusal.isPresent()) {
            eraCache.clear();
            throw refused("initialize", refusal.get());
        }
    }

    private static long probeDeadline(Duration timeout, long deadline) {
        long third = timeout.toNanos() / 3;
        return deadline - timeout.toNanos() + Math.min(third, PROBE_TIMEOUT_MAX.toNanos());
    }

    private void fallBackToLegacy(JsonRpcServerSession link, long deadline, boolean answered)
            throws ConnectFailedException, InterruptedException {
        if (eraChoice == EraChoice.MODERN) {
            throw answered
                    ? ConnectFailedException.of(
                            FailureKind.NO_COMMON_VERSION,
                            "it does not support MCP " + NEWEST_MODERN.text())
                    : ConnectFailedException.timeout("no response to server/discover");
        }
        Optional<RpcError> refusal = initialize(link, deadline, NEWEST_LEGACY);
        if (refusal.isEmpty()) {
            return;
        }
        eraCache.clear();
        // The server may have been too slow to answer the first request before the one it refused.
        if (!answered
                && probeModern(link, deadline)
                        instanceof EraProbeResult.Modern(HandshakeResult facts)) {
            complete(link, facts);
        } else {
            throw refused("initialize", refusal.get());
        }
    }

    private void complete(JsonRpcServerSession link, HandshakeResult facts) {
        eraCache.store(facts.version().era());
        link.completeHandshake(facts, clientInfo);
    }

    private EraProbeResult probeModern(JsonRpcServerSession link, long deadline)
            throws ConnectFailedException, InterruptedException {
        CallOutcome outcome =
                link.handshakeCall("server/discover", discoverParams(), ticker.remaining(deadline));
        if (outcome instanceof CallOutcome.ErrorResponse(RpcError error)
                && supportedVersions(error).contains(NEWEST_MODERN.text())) {
            outcome =
                    link.handshakeCall(
                            "server/discover", discoverParams(), ticker.remaining(deadline));
            if (outcome instanceof CallOutcome.ErrorResponse(RpcError again)) {
                throw refused("server/discover", again);
            }
        }
        return switch (outcome) {
            case CallOutcome.Result(Json result) -> fromDiscoverResult(result);
            case CallOutcome.ErrorResponse(RpcError error) -> refused(error);
            case CallOutcome.InvalidResponse _ -> new EraProbeResult.Legacy(true);
            case CallOutcome.TimedOut _ when !link.treatsSilenceAsLegacy() ->
                    throw ConnectFailedException.timeout("no response to server/discover");
            case CallOutcome.TimedOut _ -> new EraProbeResult.Legacy(false);
            case CallOutcome.ConnectionLost(String why) -> throw closedDuringProbe(link, why);
            case CallOutcome.Unreachable(String why) -> throw closedDuringProbe(link, why);
            case CallOutcome.NotSent(String why) -> throw closedDuringProbe(link, why);
            case CallOutcome.Unauthorized(String why) ->
                    throw ConnectFailedException.unauthorized(why);
        };
    }

    /**
     * A server may exit if {@code server/discover} comes before {@code initialize}; the next
     * attempt starts with {@code initialize}.
     */
    private ConnectFailedException closedDuringProbe(JsonRpcServerSession link, String why) {
        boolean open = eraChoice == EraChoice.AUTO && eraCache.era() != Era.MODERN;
        if (!open || !link.treatsSilenceAsLegacy()) {
            return ConnectFailedException.of(FailureKind.ENDED_DURING_CONNECT, why);
        }
        eraCache.store(Era.LEGACY);
        return ConnectFailedException.retryImmediately(why);
    }

    private static EraProbeResult fromDiscoverResult(Json result) {
        if (!strings(result.member("supportedVersions")).contains(NEWEST_MODERN.text())) {
            return new EraProbeResult.Legacy(true);
        }
        Json meta = result.member(MetaKeys.META);
        Json info = meta == null ? null : meta.member(MetaKeys.SERVER_INFO);
        return new EraProbeResult.Modern(resultOf(NEWEST_MODERN, result, info));
    }

    private static EraProbeResult refused(RpcError error) throws ConnectFailedException {
        List<String> supported = supportedVersions(error);
        if (!supported.isEmpty() && areAllNewer(supported)) {
            throw ConnectFailedException.of(
                    FailureKind.NO_COMMON_VERSION,
                    "it supports only MCP " + DisplayText.message(String.join(", ", supported)));
        }
        return new EraProbeResult.Legacy(true);
    }

    private static boolean areAllNewer(List<String> versions) {
        for (String version : versions) {
            if (version.compareTo(NEWEST_MODERN.text()) <= 0) {
                return false;
            }
        }
        return true;
    }

    /** Sends {@code initialize}; returns the error if the server refuses it. */
    private Optional<RpcError> initialize(
            JsonRpcServerSession link, long deadline, ProtocolVersion version)
            throws ConnectFailedException, InterruptedException {
        CallOutcome outcome =
                link.handshakeCall(
                        "initialize", initializeParams(version), ticker.remaining(deadline));
        if (outcome instanceof CallOutcome.ErrorResponse(RpcError error)) {
            Optional<ProtocolVersion> other =
                    newestLegacyOffered(error).filter(offer -> offer != version);
            return other.isEmpty() ? Optional.of(error) : initialize(link, deadline, other.get());
        }
        Json result =
                switch (outcome) {
                    case CallOutcome.Result(Json value) -> value;
                    case CallOutcome.TimedOut _ -> throw noResponse("initialize");
                    case CallOutcome.InvalidResponse(String why, _) ->
                            throw ConnectFailedException.of(
                                    FailureKind.PROTOCOL_ERROR,
                                    "invalid initialize result: " + why);
                    case CallOutcome.ConnectionLost(String why) -> throw ended(why);
                    case CallOutcome.Unreachable(String why) -> throw ended(why);
                    case CallOutcome.NotSent(String why) -> throw ended(why);
                    case CallOutcome.Unauthorized(String why) ->
                            throw ConnectFailedException.unauthorized(why);
                    case CallOutcome.ErrorResponse _ -> throw new AssertionError(outcome);
                };
        String agreed = result.memberText("protocolVersion");
        Optional<ProtocolVersion> spoken = ProtocolVersion.of(agreed == null ? "" : agreed);
        if (spoken.isEmpty()) {
            throw ConnectFailedException.of(
                    FailureKind.NO_COMMON_VERSION,
                    "it requires MCP version "
                            + DisplayText.message(agreed == null ? "none" : agreed));
        }
        complete(link, resultOf(spoken.get(), result, result.member("serverInfo")));
        link.send(new Notification("notifications/initialized", null));
        return Optional.empty();
    }

    private static ConnectFailedException ended(String why) {
        return ConnectFailedException.of(FailureKind.ENDED_DURING_CONNECT, why);
    }

    private static ConnectFailedException noResponse(String method) {
        return ConnectFailedException.timeout("no response to " + method);
    }

    /** The newest legacy version that an error offers instead. */
    private static Optional<ProtocolVersion> newestLegacyOffered(RpcError error) {
        return supportedVersions(error).stream()
                .flatMap(text -> ProtocolVersion.of(text).stream())
                .filter(version -> version.era() == Era.LEGACY)
                .max(Comparator.naturalOrder());
    }

    private static List<String> supportedVersions(RpcError error) {
        Json data = error.data();
        return data == null ? List.of() : strings(data.member("supported"));
    }

    private static List<String> strings(@Nullable Json array) {
        return array == null || !array.isArray()
                ? List.of()
                : array.elements().stream().filter(Json::isString).map(Json::text).toList();
    }

    private static ConnectFailedException refused(String method, RpcError error) {
        return ConnectFailedException.of(
                FailureKind.ERROR_RESPONSE,
                "it answered %s with an error: %s (%d)"
                        .formatted(method, DisplayText.message(error.message()), error.code()));
    }

    private Json discoverParams() {
        return new RequestMetaWriter(NEWEST_MODERN, clientInfo)
                .withMeta(Json.EMPTY_OBJECT, CallOptions.internal(Duration.ZERO), 0);
    }

    private Json initializeParams(ProtocolVersion version) {
        return new JsonWriter()
                .beginObject()
                .member("protocolVersion", version.text())
                .member("capabilities", LEGACY_CAPABILITIES)
                .member("clientInfo", clientInfo.toJson())
                .endObject()
                .toJson();
    }

    private static HandshakeResult resultOf(
            ProtocolVersion version, Json result, @Nullable Json info) {
        Json capabilities = result.member("capabilities");
        return new HandshakeResult(
                version,
                Implementation.of(info == null ? Json.EMPTY_OBJECT : info),
                capabilities == null || !capabilities.isObject()
                        ? Json.EMPTY_OBJECT
                        : capabilities.detached(),
                result.memberText("instructions"));
    }
}

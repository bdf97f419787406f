package dev.patchbay.daemon;

import dev.patchbay.daemon.RelayedRequest.Line;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.DecodedFrame.BadResponse;
import dev.patchbay.jsonrpc.DecodedFrame.Batch;
import dev.patchbay.jsonrpc.DecodedFrame.Malformed;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.CancelledNotification;
import dev.patchbay.mcp.ExecutionStatus;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a relay knows of its client's session: the requests without an answer, and what the next
 * gateway has to be told. A link is one connection to a gateway; its number says which.
 */
final class SessionRecord {
    private static final int SUBSCRIPTIONS_MAX = 10_000;
    private static final int QUESTIONS_MAX = 10_000;
    private static final String BATCH_VERSION = "2025-03-26";
    private static final String INITIALIZED = "notifications/initialized";

    /** What becomes of a line of the client. */
    sealed interface Route {
        /**
         * Send the line over a link.
         *
         * @param request the requests in the line; null if there are none
         */
        record Forward(int link, @Nullable RelayedRequest request) implements Route {}

        /** Answer it without a gateway. */
        record Answer(EncodedJson answer) implements Route {}

        /** Nobody waits for it any more. */
        record Drop() implements Route {}
    }

    /** What happens after the end of a link: the answers, and the requests to send again. */
    record Loss(List<EncodedJson> toClient, List<RelayedRequest> toRepeat) {}

    private final String privatePrefix;
    private final Map<RequestId, RelayedRequest> pending = new LinkedHashMap<>();

    /** The requests of gateways to the client, and the link of each. */
    private final Map<RequestId, Integer> questions = new LinkedHashMap<>();

    /** The ids of requests that the relay itself has sent. */
    private final Set<RequestId> privateIds = new HashSet<>();

    private final Map<String, Json> subscriptions = new LinkedHashMap<>();
    private @Nullable Json initializeParams;
    private String version = "";
    private boolean isInitialized;
    private @Nullable Json levelParams;
    private long privateCount;
    private long questionIdMax = -1;

    /**
     * @param privatePrefix the beginning of the relay's own ids, which no client uses
     */
    SessionRecord(String privatePrefix) {
        this.privatePrefix = privatePrefix;
    }

    /** Records a line of the client, and says what becomes of it. */
    synchronized Route onClientFrame(DecodedFrame frame, Line line, int current) {
        return switch (frame) {
            case Request request -> {
                if (pending.containsKey(request.id())) {
                    yield new Route.Answer(Encoder.encode(duplicateId(request.id())));
                }
                yield forward(List.of(request), false, line, current);
            }
            case Notification notification -> routeNotification(notification, current);
            case Response response -> routeAnswer(response.id());
            case BadResponse response -> routeAnswer(response.id());
            case Malformed malformed -> {
                Integer link = questions.remove(malformed.id());
                yield link == null
                        ? new Route.Answer(
                                Encoder.encode(new Failure(malformed.id(), malformed.error())))
                        : new Route.Forward(link, null);
            }
            case Batch(var items) -> routeBatch(items, line, current);
        };
    }

    private Route forward(List<Request> requests, boolean isBatch, Line line, int link) {
        var relayed = new RelayedRequest(requests, isBatch, line, link);
        requests.forEach(request -> pending.put(request.id(), relayed));
        return new Route.Forward(link, relayed);
    }

    private Route routeBatch(List<DecodedFrame> items, Line line, int current) {
        if (!version.equals(BATCH_VERSION)) {
            return new Route.Answer(Encoder.encode(Connection.batchNotSupported()));
        }
        var requests = new LinkedHashMap<RequestId, Request>();
        for (DecodedFrame item : items) {
            if (item instanceof Request request && !pending.containsKey(request.id())) {
                requests.putIfAbsent(request.id(), request);
            } else if (item instanceof Notification notification) {
                routeNotification(notification, current);
            }
        }
        return requests.isEmpty()
                ? new Route.Forward(current, null)
                : forward(List.copyOf(requests.values()), true, line, current);
    }

    private Route routeNotification(Notification notification, int current) {
        if (notification.method().equals(CancelledNotification.METHOD)) {
            RequestId id = CancelledNotification.requestId(notification);
            RelayedRequest cancelled = id == null ? null : pending.get(id);
            if (cancelled == null) {
                return new Route.Drop();
            }
            pending.remove(id);
            return new Route.Forward(cancelled.link(), null);
        }
        if (notification.method().equals(INITIALIZED)) {
            isInitialized |= initializeParams != null || isInitializing();
        }
        return new Route.Forward(current, null);
    }

    private Route routeAnswer(RequestId id) {
        Integer link = questions.remove(id);
        return link == null ? new Route.Drop() : new Route.Forward(link, null);
    }

    private static Failure duplicateId(RequestId id) {
        return new Failure(
                id, RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: its id is in use"));
    }

    /** The whole line was handed over to its link. */
    synchronized void markSent(RelayedRequest request) {
        request.markSent();
    }

    /** Records a line of a gateway; whether the client gets it. */
    synchronized boolean onGatewayFrame(DecodedFrame frame, int link) {
        return switch (frame) {
            case Request request -> {
                questions.put(request.id(), link);
                questionIdMax = Math.max(questionIdMax, request.id().json().asLong(questionIdMax));
                if (questions.size() > QUESTIONS_MAX) {
                    questions.remove(questions.keySet().iterator().next());
                }
                yield true;
            }
            case Success success -> onAnswer(success.id(), success.result(), link);
            case Failure failure -> onAnswer(failure.id(), null, link);
            case BadResponse response -> onAnswer(response.id(), null, link);
            case Batch(var items) -> {
                items.forEach(item -> onGatewayFrame(item, link));
                yield true;
            }
            case Notification _, Malformed _ -> true;
        };
    }

    /** An answer to a request; the result is null if it failed or is not known. */
    synchronized boolean onAnswer(RequestId id, @Nullable Json result, int link) {
        if (privateIds.remove(id)) {
            return false;
        }
        RelayedRequest answered = pending.get(id);
        if (answered == null) {
            return true; // a cancelled request, or one that could not be read
        }
        if (answered.link() != link) {
            return false; // it was sent again over another link
        }
        pending.remove(id);
        for (Request request : answered.requests()) {
            if (request.id().equals(id) && result != null) {
                recordSuccess(request, result);
            }
        }
        return true;
    }

    private void recordSuccess(Request request, Json result) {
        Json params = request.params() == null ? Json.EMPTY_OBJECT : request.params();
        switch (request.method()) {
            case RelayedRequest.INITIALIZE -> {
                String negotiated = result.memberText("protocolVersion");
                version = negotiated == null ? "" : negotiated;
                initializeParams = params.detached();
            }
            case RelayedRequest.SET_LEVEL -> levelParams = params.detached();
            case RelayedRequest.SUBSCRIBE -> {
                String uri = params.memberText("uri");
                if (uri != null && subscriptions.size() < SUBSCRIPTIONS_MAX) {
                    subscriptions.put(uri, params.detached());
                }
            }
            case RelayedRequest.UNSUBSCRIBE ->
                    subscriptions.remove(String.valueOf(params.memberText("uri")));
            default -> {}
        }
    }

    /** Whether the result of a request must be known, and not only that there is one. */
    synchronized boolean needsResult(RequestId id) {
        RelayedRequest request = pending.get(id);
        return request != null && request.has(RelayedRequest.INITIALIZE);
    }

    /** The first id that the next gateway may use for requests to the client. */
    synchronized long nextQuestionId() {
        return questionIdMax + 1;
    }

    /** Whether requests wait for an answer over a link. */
    synchronized boolean hasPending(int link) {
        return pending.values().stream().anyMatch(request -> request.link() == link);
    }

    synchronized boolean hasPending() {
        return !pending.isEmpty();
    }

    /** Whether the handshake of a legacy session is in progress. */
    synchronized boolean isInitializing() {
        return pending.values().stream().anyMatch(it -> it.has(RelayedRequest.INITIALIZE));
    }

    /** Removes the requests of a link that has ended. */
    synchronized Loss onLinkEnded(int link) {
        var toClient = new ArrayList<EncodedJson>();
        var toRepeat = new ArrayList<RelayedRequest>();
        for (RelayedRequest request : pendingOf(link)) {
            if (request.line() != null) {
                toRepeat.add(request);
            } else {
                toClient.add(removeAndAnswer(request, ExecutionStatus.UNKNOWN));
            }
        }
        questions
                .entrySet()
                .removeIf(
                        question -> {
                            boolean isOver = question.getValue() == link;
                            if (isOver) {
                                toClient.add(Encoder.encode(cancelled(question.getKey())));
                            }
                            return isOver;
                        });
        return new Loss(toClient, toRepeat);
    }

    private List<RelayedRequest> pendingOf(int link) {
        var found = new LinkedHashSet<RelayedRequest>();
        for (RelayedRequest request : pending.values()) {
            if (request.link() == link) {
                found.add(request);
            }
        }
        return List.copyOf(found);
    }

    private static Notification cancelled(RequestId question) {
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("requestId", question.json())
                        .member("reason", "The gateway ended")
                        .endObject()
                        .toJson();
        return new Notification(CancelledNotification.METHOD, params);
    }

    /** Answers a request that cannot be sent to any gateway. */
    synchronized EncodedJson refuse(RelayedRequest request) {
        return removeAndAnswer(request, ExecutionStatus.NOT_SENT);
    }

    private EncodedJson removeAndAnswer(RelayedRequest request, ExecutionStatus execution) {
        request.requests().forEach(it -> pending.remove(it.id(), request));
        return LostRequests.answer(request, execution);
    }

    /** Assigns a request to another link; false if it has been answered or cancelled since. */
    synchronized boolean moveTo(RelayedRequest request, int link) {
        request.moveTo(link);
        return request.requests().stream().anyMatch(it -> pending.get(it.id()) == request);
    }

    /** The requests that never end by themselves, which must not hold up the change of links. */
    synchronized List<RelayedRequest> listening(int link) {
        return pendingOf(link).stream().filter(it -> it.has(RelayedRequest.LISTEN)).toList();
    }

    /** What a new gateway must be told so that it continues the session. */
    synchronized List<EncodedJson> restoringMessages() {
        var messages = new ArrayList<EncodedJson>();
        privateIds.clear();
        if (initializeParams == null) {
            return messages;
        }
        messages.add(privateRequest(RelayedRequest.INITIALIZE, initializeParams));
        if (isInitialized) {
            messages.add(Encoder.encode(new Notification(INITIALIZED, null)));
        }
        if (levelParams != null) {
            messages.add(privateRequest(RelayedRequest.SET_LEVEL, levelParams));
        }
        for (Json params : subscriptions.values()) {
            messages.add(privateRequest(RelayedRequest.SUBSCRIBE, params));
        }
        return messages;
    }

    /** What must follow the repeated requests: a client may not wait for its handshake. */
    synchronized List<EncodedJson> messagesAfterRepeats() {
        return isInitialized && initializeParams == null
                ? List.of(Encoder.encode(new Notification(INITIALIZED, null)))
                : List.of();
    }

    private EncodedJson privateRequest(String method, Json params) {
        privateCount++;
        Json text = Json.string(privatePrefix + privateCount);
        RequestId id = RequestId.of(text);
        if (id == null) {
            throw new IllegalStateException("A string is an id");
        }
        privateIds.add(id);
        return Encoder.encode(new Request(id, method, params));
    }

    /** What the client must be told because it may have missed notifications in between. */
    synchronized List<EncodedJson> missedNotifications() {
        var messages = new ArrayList<EncodedJson>();
        if (!isInitialized) {
            return messages;
        }
        for (String list : List.of("tools", "prompts", "resources")) {
            messages.add(
                    Encoder.encode(
                            new Notification("notifications/" + list + "/list_changed", null)));
        }
        for (String uri : subscriptions.keySet()) {
            Json params = new JsonWriter().beginObject().member("uri", uri).endObject().toJson();
            messages.add(
                    Encoder.encode(new Notification("notifications/resources/updated", params)));
        }
        return messages;
    }
}

package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Prompt;
import dev.patchbay.catalog.ResourceLookup;
import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.gateway.Subscriptions.Kind;
import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerUnavailableException;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Forwards requests other than tool calls to their server. */
final class RequestRouter implements EntryListener {
    private static final String TASK_RESULT = "tasks/result";

    /** The maximum wait for the result of a task; clients can ask again. */
    private static final Duration TASK_TIME_MAX = Duration.ofHours(1);

    /** Sends a request to the prompt's server. */
    private interface PromptRequest {
        CallResult sendTo(FullName prompt) throws InterruptedException;
    }

    private final ServerRegistry registry;
    private final CatalogSource catalogSource;
    private final CallObservation observation;
    private final Subscriptions.Sender subscriptionSender = new SubscriptionSender();
    private final Subscriptions subscriptions =
            new Subscriptions(Kind.RESOURCES, subscriptionSender);

    RequestRouter(ServerRegistry registry, CatalogSource catalogs, CallObservation sight) {
        this.registry = registry;
        this.catalogSource = catalogs;
        this.observation = sight;
    }

    /** The params are those of {@code prompts/get}. */
    CallResult prompt(Json params, CallContext source) throws InterruptedException {
        String name = params.memberText("name");
        return name == null
                ? invalidParams("name must be a string")
                : routePrompt(
                        name,
                        prompt -> {
                            Json named =
                                    MemberPatch.with(params, "name", Json.string(prompt.name()));
                            return send(prompt.server(), "prompts/get", named, source);
                        });
    }

    /** The params have the {@code uri} of a resource. */
    CallResult resource(String method, Json params, CallContext source)
            throws InterruptedException {
        String uri = params.memberText("uri");
        if (uri == null) {
            return invalidParams("uri must be a string");
        }
        ResourceLookup found = find(uri, Catalog::routeResource);
        if (!(found instanceof ResourceLookup.Found(ResourceRoute route))) {
            return noRoute(uri, found);
        }
        Json moved = MemberPatch.with(params, "uri", Json.string(route.uri()));
        return send(route.server(), method, moved, source);
    }

    /** Subscribes to the resource whose {@code uri} is in the params. */
    SubscriptionResult subscribe(Json params, CallContext source, Consumer<Json> updates)
            throws InterruptedException {
        String uri = params.memberText("uri");
        if (uri == null) {
            return new SubscriptionResult(invalidParams("uri must be a string"), () -> {});
        }
        ResourceLookup found = find(uri, Catalog::routeResource);
        if (!(found instanceof ResourceLookup.Found(ResourceRoute route))) {
            return new SubscriptionResult(noRoute(uri, found), () -> {});
        }
        return subscriptions.subscribe(route, uri, source, updates);
    }

    @Override
    public void connected(ConnectionId connection) {
        subscriptions.resubscribe(connection);
    }

    @Override
    public void resourceUpdated(ConnectionId connection, Json params) {
        subscriptions.publishUpdate(connection, params);
    }

    @Override
    public void notificationsLost(ConnectionId connection) {
        subscriptions.notificationsLost(connection);
    }

    /** Sends what concerns subscriptions. */
    Subscriptions.Sender subscriptionSender() {
        return subscriptionSender;
    }

    private final class SubscriptionSender implements Subscriptions.Sender {
        @Override
        public CallResult send(
                ConnectionId connection, String method, Json params, CallContext context)
                throws InterruptedException {
            return RequestRouter.this.send(connection, method, params, context);
        }

        @Override
        public ConnectionId connectionFor(ServerId server, CallContext context)
                throws ServerUnavailableException {
            ServerEntry entry = registry.find(server).orElse(null);
            return entry == null
                    ? ConnectionId.primary(server)
                    : entry.connections().subscriptionConnection(context.caller());
        }

        @Override
        public void onSubscriptions(ConnectionId connection, int difference) {
            registry.find(connection.server())
                    .ifPresent(it -> it.connections().changeSubscriptions(connection, difference));
        }
    }

    /** The params are those of {@code completion/complete}. */
    CallResult completion(Json params, CallContext source) throws InterruptedException {
        Json ref = params.member("ref");
        String name = ref == null ? null : ref.memberText("name");
        String uri = ref == null ? null : ref.memberText("uri");
        if (ref != null && name != null) {
            return routePrompt(
                    name,
                    prompt -> {
                        Json named = MemberPatch.with(ref, "name", Json.string(prompt.name()));
                        return sendCompletion(
                                prompt.server(), MemberPatch.with(params, "ref", named), source);
                    });
        }
        if (ref == null || uri == null) {
            return invalidParams("ref must name a prompt or a resource");
        }
        ResourceLookup found = find(uri, Catalog::routeTemplate);
        if (!(found instanceof ResourceLookup.Found(ResourceRoute route))) {
            return noRoute(uri, found);
        }
        Json moved = MemberPatch.with(ref, "uri", Json.string(route.uri()));
        return sendCompletion(route.server(), MemberPatch.with(params, "ref", moved), source);
    }

    private CallResult routePrompt(String name, PromptRequest sending) throws InterruptedException {
        LookupResult<Prompt> found = catalogSource.current().findPrompt(name);
        if (found instanceof LookupResult.NotFound) {
            found = catalogSource.awaitComplete().findPrompt(name);
        }
        return switch (found) {
            case LookupResult.Found<Prompt>(Prompt prompt) -> sending.sendTo(prompt.name());
            case LookupResult.Ambiguous<Prompt>(List<FullName> candidates) ->
                    new CallResult.Rejected(
                            ErrorReason.AMBIGUOUS_PROMPT,
                            "Several servers have a prompt " + DisplayText.quoteName(name),
                            null,
                            candidates);
            case LookupResult.Filtered<Prompt>(FullName hidden) ->
                    notFound(ErrorReason.PROMPT_NOT_FOUND, "prompt", name, hidden.server());
            case LookupResult.NotFound<Prompt>(ServerId owner) ->
                    notFound(ErrorReason.PROMPT_NOT_FOUND, "prompt", name, owner);
        };
    }

    /** Finds a URI; if it is not found, waits for the lists of servers that are starting. */
    private ResourceLookup find(String uri, BiFunction<Catalog, String, ResourceLookup> lookup)
            throws InterruptedException {
        if (uri.length() > ResourceRoute.URI_CHARS_MAX) {
            return new ResourceLookup.NotFound();
        }
        ResourceLookup found = lookup.apply(catalogSource.current(), uri);
        return found instanceof ResourceLookup.NotFound
                ? lookup.apply(catalogSource.awaitComplete(), uri)
                : found;
    }

    private static CallResult noRoute(String uri, ResourceLookup found) {
        return found instanceof ResourceLookup.Ambiguous(List<String> candidates)
                ? CallResult.Rejected.of(
                        ErrorReason.RESOURCE_NOT_FOUND,
                        "Several servers offer the resource %s; use one of %s"
                                .formatted(
                                        DisplayText.quoteName(uri),
                                        String.join(
                                                ", ",
                                                candidates.stream()
                                                        .map(DisplayText::quoteName)
                                                        .toList())))
                : notFound(ErrorReason.RESOURCE_NOT_FOUND, "resource", uri, null);
    }

    private CallResult sendCompletion(ServerId server, Json params, CallContext source)
            throws InterruptedException {
        return send(server, "completion/complete", params, source);
    }

    /** Forwards any request to a registered server, over the connection of the client. */
    CallResult send(ServerId id, String method, Json params, CallContext source)
            throws InterruptedException {
        return send(id, null, method, params, source);
    }

    /** Forwards any request over a certain connection. */
    private CallResult send(ConnectionId connection, String method, Json params, CallContext source)
            throws InterruptedException {
        return send(connection.server(), connection, method, params, source);
    }

    private CallResult send(
            ServerId id,
            @Nullable ConnectionId connection,
            String method,
            Json params,
            CallContext source)
            throws InterruptedException {
        CallObservation.ObservedCall sighting = observation.begin(method, source);
        if (sighting == null) {
            return sendUnobserved(id, connection, method, params, source);
        }
        CallResult reply = null;
        try {
            reply = sendUnobserved(id, connection, method, params, source);
            return reply;
        } finally {
            sighting.reportEnd(id, target(params), params, reply);
        }
    }

    /** The target of a request. */
    private static String target(Json params) {
        String name = params.memberText("name");
        String uri = name == null ? params.memberText("uri") : name;
        String task = uri == null ? params.memberText("taskId") : uri;
        return task == null ? "" : task;
    }

    private CallResult sendUnobserved(
            ServerId id,
            @Nullable ConnectionId connection,
            String method,
            Json params,
            CallContext source)
            throws InterruptedException {
        ServerEntry server = registry.find(id).orElse(null);
        if (server == null) {
            return CallResult.Rejected.of(ErrorReason.SERVER_NOT_FOUND, "There is no server " + id);
        }
        if (!server.isEnabled()) {
            String message = "Server " + id + " is disabled";
            return new CallResult.Failed(
                    id,
                    new ServerFailure(
                            ErrorReason.SERVER_DISABLED,
                            message,
                            method,
                            0,
                            ExecutionStatus.NOT_SENT));
        }
        Duration timeout =
                method.equals(TASK_RESULT)
                        ? TASK_TIME_MAX
                        : server.spec().options().limits().requestTimeout();
        return new ForwardedRequest(server, method, "the client", timeout, source)
                .over(connection)
                .send(params);
    }

    private static CallResult invalidParams(String message) {
        return CallResult.Rejected.of(ErrorReason.INVALID_ARGUMENTS, message);
    }

    private static CallResult notFound(
            ErrorReason reason, String kind, String name, @Nullable ServerId owner) {
        return new CallResult.Rejected(
                reason,
                "There is no " + kind + " " + DisplayText.quoteName(name),
                owner,
                List.of());
    }
}

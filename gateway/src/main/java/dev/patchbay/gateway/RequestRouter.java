package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Prompt;
import dev.patchbay.catalog.ResourceLookup;
import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerId;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Finds the server of a request other than a tool call, in the catalog of a view. */
final class RequestRouter {
    /** Sends a request to the prompt's server. */
    private interface PromptRequest {
        CallResult sendTo(FullName prompt) throws InterruptedException;
    }

    private final VisibleServers servers;
    private final ViewCatalog catalog;
    private final RequestSender sender;
    private final Subscriptions subscriptions;

    RequestRouter(
            VisibleServers servers,
            ViewCatalog catalog,
            RequestSender sender,
            Subscriptions subscriptions) {
        this.servers = servers;
        this.catalog = catalog;
        this.sender = sender;
        this.subscriptions = subscriptions;
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
                            return sender.send(prompt.server(), "prompts/get", named, source);
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
        return sender.send(route.server(), method, moved, source);
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
        return subscriptions.subscribe(
                route,
                uri,
                source,
                update -> {
                    if (servers.contains(route.server())) { // the view may have changed
                        updates.accept(update);
                    }
                });
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
        LookupResult<Prompt> found = catalog.current().findPrompt(name);
        if (found instanceof LookupResult.NotFound) {
            found = catalog.awaitComplete().findPrompt(name);
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
        ResourceLookup found = lookup.apply(catalog.current(), uri);
        return found instanceof ResourceLookup.NotFound
                ? lookup.apply(catalog.awaitComplete(), uri)
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
        return sender.send(server, "completion/complete", params, source);
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

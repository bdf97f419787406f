package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.Lookup;
import dev.patchbay.catalog.Prompt;
import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.gateway.Subscriptions.Kind;
import dev.patchbay.json.Json;
import dev.patchbay.json.Splice;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.Trouble;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Passes requests other than tool calls to the server they concern, and its answers back. */
final class Relay {
    private static final String TASK_RESULT = "tasks/result";

    /** Whoever asks for the result of a task waits for its end; after that he asks again. */
    private static final Duration TASK_TIME_MAX = Duration.ofHours(1);

    /** Sends a request to the prompt's server. */
    private interface Sending {
        Reply to(FullName prompt) throws InterruptedException;
    }

    private final Registry registry;
    private final Catalogs catalogs;
    private final Sight sight;
    private final Subscriptions subscriptions = new Subscriptions(Kind.RESOURCES, this::send);

    Relay(Registry registry, Catalogs catalogs, Sight sight) {
        this.registry = registry;
        this.catalogs = catalogs;
        this.sight = sight;
    }

    /** The params are those of {@code prompts/get}. */
    Reply prompt(Json params, CallSource source) throws InterruptedException {
        String name = params.memberText("name");
        return name == null
                ? bad("name must be a string")
                : toPrompt(
                        name,
                        prompt -> {
                            Json named = Splice.with(params, "name", Json.string(prompt.name()));
                            return send(prompt.server(), "prompts/get", named, source);
                        });
    }

    /** The params have the {@code uri} of a resource. */
    Reply resource(String method, Json params, CallSource source) throws InterruptedException {
        String uri = params.memberText("uri");
        if (uri == null) {
            return bad("uri must be a string");
        }
        ResourceRoute route = route(uri, Catalog::resource);
        if (route == null) {
            return absent(Reason.RESOURCE_NOT_FOUND, "resource", uri, null);
        }
        Json moved = Splice.with(params, "uri", Json.string(route.uri()));
        return send(route.server(), method, moved, source);
    }

    /** Begins to tell of the resource whose {@code uri} is in the params. */
    Subscribed subscribe(Json params, CallSource source, Consumer<Json> updates)
            throws InterruptedException {
        String uri = params.memberText("uri");
        ResourceRoute route = uri == null ? null : route(uri, Catalog::resource);
        if (uri == null || route == null) {
            Reply refusal =
                    uri == null
                            ? bad("uri must be a string")
                            : absent(Reason.RESOURCE_NOT_FOUND, "resource", uri, null);
            return new Subscribed(refusal, () -> {});
        }
        return subscriptions.subscribe(route, uri, source, updates);
    }

    /** Asks a server that has been away for what clients want to hear of. */
    void resubscribe(ServerId server) {
        subscriptions.resubscribe(server);
    }

    /** Tells those who asked for it of a change, as the server told it. */
    void updated(ServerId server, Json params) {
        subscriptions.updated(server, params);
    }

    /** Tells those who asked for any resource of a server that it may have changed. */
    void missed(ServerId server) {
        subscriptions.missed(server);
    }

    /** The params are those of {@code completion/complete}. */
    Reply completion(Json params, CallSource source) throws InterruptedException {
        Json ref = params.member("ref");
        String name = ref == null ? null : ref.memberText("name");
        String uri = ref == null ? null : ref.memberText("uri");
        if (ref != null && name != null) {
            return toPrompt(
                    name,
                    prompt -> {
                        Json named = Splice.with(ref, "name", Json.string(prompt.name()));
                        return complete(prompt.server(), Splice.with(params, "ref", named), source);
                    });
        }
        if (ref == null || uri == null) {
            return bad("ref must name a prompt or a resource");
        }
        ResourceRoute route = route(uri, Catalog::template);
        if (route == null) {
            return absent(Reason.RESOURCE_NOT_FOUND, "resource", uri, null);
        }
        Json moved = Splice.with(ref, "uri", Json.string(route.uri()));
        return complete(route.server(), Splice.with(params, "ref", moved), source);
    }

    private Reply toPrompt(String name, Sending sending) throws InterruptedException {
        Lookup<Prompt> found = catalogs.now().prompt(name);
        if (found instanceof Lookup.Absent) {
            found = catalogs.settled().prompt(name);
        }
        return switch (found) {
            case Lookup.Found<Prompt>(Prompt prompt) -> sending.to(prompt.name());
            case Lookup.Ambiguous<Prompt>(List<FullName> candidates) ->
                    new Reply.Unresolved(
                            Reason.AMBIGUOUS_PROMPT,
                            "Several servers have a prompt " + Text.brief(name),
                            null,
                            candidates);
            case Lookup.Filtered<Prompt>(FullName hidden) ->
                    absent(Reason.PROMPT_NOT_FOUND, "prompt", name, hidden.server());
            case Lookup.Absent<Prompt>(ServerId owner) ->
                    absent(Reason.PROMPT_NOT_FOUND, "prompt", name, owner);
        };
    }

    private @Nullable ResourceRoute route(
            String uri, BiFunction<Catalog, String, Optional<ResourceRoute>> way)
            throws InterruptedException {
        ResourceRoute route = way.apply(catalogs.now(), uri).orElse(null);
        return route != null ? route : way.apply(catalogs.settled(), uri).orElse(null);
    }

    private Reply complete(ServerId server, Json params, CallSource source)
            throws InterruptedException {
        return send(server, "completion/complete", params, source);
    }

    /** Any request to a server that is known. */
    Reply send(ServerId id, String method, Json params, CallSource source)
            throws InterruptedException {
        Sight.Sighting sighting = sight.begin(method, source.client());
        if (sighting == null) {
            return sendUnseen(id, method, params, source);
        }
        Reply reply = null;
        try {
            reply = sendUnseen(id, method, params, source);
            return reply;
        } finally {
            sighting.ended(id, target(params), params, reply);
        }
    }

    /** What a request is about, by the member that tells. */
    private static String target(Json params) {
        String name = params.memberText("name");
        String uri = name == null ? params.memberText("uri") : name;
        String task = uri == null ? params.memberText("taskId") : uri;
        return task == null ? "" : task;
    }

    private Reply sendUnseen(ServerId id, String method, Json params, CallSource source)
            throws InterruptedException {
        Registered server = registry.find(id).orElse(null);
        if (server == null) {
            return Reply.Unresolved.of(Reason.SERVER_NOT_FOUND, "There is no server " + id);
        }
        if (!server.isEnabled()) {
            String message = "Server " + id + " is disabled";
            return new Reply.Failed(
                    id,
                    new Trouble(Reason.SERVER_DISABLED, message, method, 0, Execution.NOT_SENT));
        }
        Duration timeout =
                method.equals(TASK_RESULT)
                        ? TASK_TIME_MAX
                        : server.spec().options().limits().requestTimeout();
        return new Passage(server, method, "the client", timeout, source).send(params);
    }

    private static Reply bad(String message) {
        return Reply.Unresolved.of(Reason.INVALID_ARGUMENTS, message);
    }

    private static Reply absent(Reason reason, String kind, String name, @Nullable ServerId owner) {
        return new Reply.Unresolved(
                reason, "There is no " + kind + " " + Text.brief(name), owner, List.of());
    }
}

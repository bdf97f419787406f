package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What a front serves to its clients: the servers of a gateway, or the tools of the REPL. The front
 * knows eras, sessions and shapes; the service knows what there is to serve.
 */
public interface McpService {
    Implementation identity();

    /** What is served, as the object of server capabilities. */
    Json capabilities();

    /** The same with what only one version has. */
    default Json capabilities(ProtocolVersion version) {
        return capabilities();
    }

    /** Whether a method of a version is served: its capability is declared, if it has one. */
    default boolean supports(@Nullable McpMethod method, ProtocolVersion version) {
        if (method == null || !method.isDefinedIn(version)) {
            return false;
        }
        String capability = method.capability(version.era());
        return capability == null || capabilities(version).member(capability) != null;
    }

    /** A text for the model on how to use what is served; null if there is none. */
    @Nullable String instructions();

    /**
     * Serves one request of a method whose capability is declared. The result may have the shape of
     * either era; the front gives it the client's. An interrupt tells that nobody waits any more.
     */
    Json serve(McpMethod method, Json params, ClientContext caller) throws InterruptedException;

    /**
     * Serves a call of a tool without waiting, where that is possible; false to have {@link #serve}
     * called. The result goes to the completion, through the shape that the client's era wants.
     */
    default boolean pass(
            Json params, ClientContext caller, UnaryOperator<Json> shape, Responder completion) {
        return false;
    }

    /** Begins to tell of changes, until the returned way to stop is used. */
    Subscription subscribeToChanges(ServiceListener listener);

    /**
     * Begins to tell a client of changes of the resource whose {@code uri} is in the params. The
     * consumer gets the params of the notification; it must not wait.
     */
    default Subscription subscribeToResource(
            Json params, ClientContext caller, Consumer<Json> updates) throws InterruptedException {
        throw new RpcException(RpcError.METHOD_NOT_FOUND, "No resource here tells of its changes");
    }

    /**
     * Begins to tell a client of changes of the task whose {@code taskId} is in the params, as
     * above.
     */
    default Subscription subscribeToTask(Json params, ClientContext caller, Consumer<Json> updates)
            throws InterruptedException {
        throw new RpcException(RpcError.METHOD_NOT_FOUND, "There are no tasks here");
    }

    /**
     * A session wants log messages from a level on; null when it is over, and then it must not
     * wait.
     */
    default void setLogLevel(Object session, @Nullable String level) throws InterruptedException {}

    /** A session is over. Must not wait. */
    default void onSessionEnded(Object session) {}

    /** A client said something that is not the front's own affair. */
    default void onNotification(String method, Json params, ClientContext caller) {}

    /** The way to stop listening. Does not wait. */
    interface Subscription {
        void stop();
    }

    /** Hears of changes in what is served. Must not wait. */
    interface ServiceListener {
        /** One of the lists changed: {@code tools}, {@code prompts} or {@code resources}. */
        void listChanged(String list);

        /** What a client was asked to do at a URL is done; the params of the notification. */
        default void elicitationCompleted(Json params) {}

        /** A server logged something that belongs to no request. */
        default void messageLogged(Json params) {}
    }
}

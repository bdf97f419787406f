package dev.patchbay.clients;

import dev.patchbay.gateway.ClientIdentity;
import dev.patchbay.gateway.RequestTracer;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * What clients are served: the servers of a gateway, or the tools of the REPL. The handlers of this
 * package know eras, sessions and formats; the service knows the content.
 */
public interface McpService {
    Implementation identity();

    /** Follows the requests of clients; null if they are not traced. */
    default @Nullable RequestTracer tracer() {
        return null;
    }

    /** The capabilities that every version of MCP has. */
    Json capabilities();

    /** The capabilities for a version. */
    default Json capabilities(ProtocolVersion version) {
        return capabilities();
    }

    /** Whether the version has the method and its capability is declared. */
    default boolean supports(@Nullable McpMethod method, ProtocolVersion version) {
        if (method == null || !method.isDefinedIn(version)) {
            return false;
        }
        String capability = method.capability(version.era());
        return capability == null || capabilities(version).member(capability) != null;
    }

    /** Instructions for the model; null if there are none. */
    @Nullable String instructions();

    /**
     * Handles a request of a supported method. The result may have the format of either era; the
     * responder converts it. This runs on the thread that reads from the client, so it must not
     * block; blocking work goes to {@link Responder#fork}.
     */
    void handle(McpMethod method, Json params, ClientContext client, Responder responder);

    /** Reports changes to the listener until the subscription is stopped. */
    Subscription subscribeToChanges(ServiceListener listener);

    /**
     * Reports updates of the resource whose {@code uri} is in the params. The consumer gets the
     * params of the notification and must not block.
     */
    default Subscription subscribeToResource(
            Json params, ClientContext client, Consumer<Json> updates) throws InterruptedException {
        throw new RpcException(
                RpcError.METHOD_NOT_FOUND, "Resource subscriptions are not supported");
    }

    /**
     * Reports changes of the task whose {@code taskId} is in the params. The consumer gets the
     * params of the notification and must not block.
     */
    default Subscription subscribeToTask(Json params, ClientContext client, Consumer<Json> updates)
            throws InterruptedException {
        throw new RpcException(RpcError.METHOD_NOT_FOUND, "Tasks are not supported");
    }

    /** Sets the log level of a session. Null ends it; then this does not wait. */
    default void setLogLevel(Object session, @Nullable String level) throws InterruptedException {}

    /** Called when a session has ended. Must not block. */
    default void onSessionEnded(Object session) {}

    /** Called when a client is gone, after its session has ended. */
    default void onClientGone(ClientIdentity client) {}

    /** Called for notifications that the handlers do not know. Must not block. */
    default void onNotification(String method, Json params, ClientContext client) {}

    /** A subscription that can be stopped. Stopping does not wait. */
    interface Subscription {
        void stop();
    }

    /** Listens for changes. The methods must not block. */
    interface ServiceListener {
        /** One of the lists changed: {@code tools}, {@code prompts} or {@code resources}. */
        void listChanged(String list);

        /** An elicitation by URL is complete; the params are those of the notification. */
        default void elicitationCompleted(Json params) {}

        /** A server sent a log message that belongs to no request. */
        default void messageLogged(Json params) {}
    }
}

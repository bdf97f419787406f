package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.Method;

import org.jspecify.annotations.Nullable;

import java.util.function.UnaryOperator;

/**
 * What a front serves to its clients: the servers of a gateway, or the tools of the REPL. The front
 * knows eras, sessions and shapes; the service knows what there is to serve.
 */
public interface Service {
    Implementation identity();

    /** What is served, as the object of server capabilities. */
    Json capabilities();

    /** A text for the model on how to use what is served; null if there is none. */
    @Nullable String instructions();

    /**
     * Serves one request of a method whose capability is declared. The result may have the shape of
     * either era; the front gives it the client's. An interrupt tells that nobody waits any more.
     */
    Json serve(Method method, Json params, Caller caller) throws InterruptedException;

    /**
     * Serves a call of a tool without waiting, where that is possible; false to have {@link #serve}
     * called. The result goes to the completion, through the shape that the client's era wants.
     */
    default boolean pass(
            Json params, Caller caller, UnaryOperator<Json> shape, Completion completion) {
        return false;
    }

    /** Begins to tell of changes, until the returned way to stop is used. */
    Subscription listen(ServiceListener listener);

    /** A client said something that is not the front's own affair. */
    default void notified(String method, Json params, Caller caller) {}

    /** The way to stop listening. */
    interface Subscription {
        void stop();
    }

    /** Hears of changes in what is served. Must not wait. */
    interface ServiceListener {
        /** One of the lists changed: {@code tools}, {@code prompts} or {@code resources}. */
        void listChanged(String list);

        /** A resource changed; the params of the notification that tells so. */
        void resourceUpdated(Json params);

        /** A server logged something that belongs to no request. */
        default void logged(Json params) {}
    }
}

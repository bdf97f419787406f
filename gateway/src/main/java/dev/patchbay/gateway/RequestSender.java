package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerUnavailableException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Sends requests other than tool calls to the servers of a view. */
final class RequestSender implements Subscriptions.Sender {
    private static final String TASK_RESULT = "tasks/result";

    /** The maximum wait for the result of a task; clients can ask again. */
    private static final Duration TASK_TIME_MAX = Duration.ofHours(1);

    private final VisibleServers servers;
    private final CallObservation observation;

    /** A request; the connection is null for the one of the client. */
    private record Outgoing(
            @Nullable ConnectionId connection, String method, Json params, CallContext source) {}

    RequestSender(VisibleServers servers, CallObservation observation) {
        this.servers = servers;
        this.observation = observation;
    }

    /** Sends any request to a server, over the connection of the client, and waits. */
    CallResult send(ServerId id, String method, Json params, CallContext source)
            throws InterruptedException {
        return send(id, null, method, params, source);
    }

    /** Sends any request over a certain connection. */
    @Override
    public CallResult send(ConnectionId connection, String method, Json params, CallContext source)
            throws InterruptedException {
        return send(connection.server(), connection, method, params, source);
    }

    @Override
    public ConnectionId connectionFor(ServerId server, CallContext context)
            throws ServerUnavailableException, InterruptedException {
        ServerEntry entry = servers.find(server).orElse(null);
        return entry == null
                ? ConnectionId.primary(server)
                : entry.connections().subscriptionConnection(context.caller());
    }

    @Override
    public void onSubscriptions(ConnectionId connection, int difference) {
        servers.find(connection.server())
                .ifPresent(it -> it.connections().changeSubscriptions(connection, difference));
    }

    private CallResult send(
            ServerId id,
            @Nullable ConnectionId connection,
            String method,
            Json params,
            CallContext source)
            throws InterruptedException {
        ServerEntry server = servers.find(id).orElse(null);
        CallObservation.ObservedCall observed = observation.begin(method, source);
        if (observed == null) {
            return send(id, server, new Outgoing(connection, method, params, source));
        }
        Json traced = server == null ? params : observed.withSpan(params, server);
        CallResult reply = null;
        try {
            reply = send(id, server, new Outgoing(connection, method, traced, source));
            return reply;
        } finally {
            observed.reportEnd(id, target(params), params, reply);
        }
    }

    /** The target of a request. */
    private static String target(Json params) {
        String name = params.memberText("name");
        String uri = name == null ? params.memberText("uri") : name;
        String task = uri == null ? params.memberText("taskId") : uri;
        return task == null ? "" : task;
    }

    private static CallResult send(ServerId id, @Nullable ServerEntry server, Outgoing request)
            throws InterruptedException {
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
                            request.method,
                            0,
                            ExecutionStatus.NOT_SENT));
        }
        Duration timeout =
                request.method.equals(TASK_RESULT)
                        ? TASK_TIME_MAX
                        : server.spec().options().limits().requestTimeout();
        return new ForwardedRequest(server, request.method, "the client", timeout, request.source)
                .over(request.connection)
                .send(request.params);
    }
}

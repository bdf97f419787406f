package dev.patchbay.repl;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;

import dev.patchbay.clients.ClientContext;
import dev.patchbay.clients.McpServiceFactory.CloseableMcpService;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpErrorCodes;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.repl.SessionRegistry.NamedSession;

import java.util.List;

/**
 * The Java REPL as a service: a fixed list of tools over named sessions. It answers at once; the
 * JVM of a session starts behind it with the first request.
 */
public final class ReplService implements CloseableMcpService {
    private static final Json CAPABILITIES =
            Json.of("{\"tools\":{},\"resources\":{\"listChanged\":true}}");

    private static final String SESSIONS_TOOL = "sessions";
    private static final Object NO_CLIENT = new Object();

    private final Implementation identity;
    private final ResourceStore resources;
    private final SessionRegistry sessions;
    private final SessionListTools sessionList;
    private final Json toolList;

    private ReplService(Implementation identity, ReplSession session, ReplEnvironment environment) {
        this.identity = identity;
        this.resources = new ResourceStore();
        var toolSet = new ReplToolSet(environment, resources);
        this.sessions =
                new SessionRegistry(
                        session, ReplService::newSession, (one, name) -> toolSet.tools(one));
        this.sessionList = new SessionListTools(sessions);
        JsonWriter writer = new JsonWriter().beginObject().name("tools").beginArray();
        sessions.main().tools().values().forEach(tool -> tool.write(writer));
        sessionList.sessions(NO_CLIENT).write(writer);
        toolList = writer.endArray().endObject().toJson();
    }

    /** A service with a session in a JVM like this one, which starts when it is needed. */
    public static ReplService create(Implementation identity) {
        return of(identity, newSession());
    }

    private static ReplSession newSession() {
        return new ReplSession(ReplSessionOptions.defaults(), EvaluationLimits.DEFAULTS);
    }

    static ReplService of(Implementation identity, ReplSession session) {
        return of(identity, session, ReplEnvironment.ofProcess());
    }

    static ReplService of(
            Implementation identity, ReplSession session, ReplEnvironment environment) {
        return new ReplService(identity, session, environment);
    }

    @Override
    public Implementation identity() {
        return identity;
    }

    @Override
    public Json capabilities() {
        return CAPABILITIES;
    }

    @Override
    public String instructions() {
        return ReplGuide.INSTRUCTIONS;
    }

    @Override
    public void handle(McpMethod method, Json params, ClientContext client, Responder responder) {
        responder.fork(() -> serve(method, params, client));
    }

    Json serve(McpMethod method, Json params, ClientContext caller) throws InterruptedException {
        return switch (method) {
            case TOOLS_LIST -> {
                rejectCursor(params);
                sessions.main().session().startInBackground();
                yield toolList;
            }
            case TOOLS_CALL -> callTool(params, caller);
            case RESOURCES_LIST -> {
                rejectCursor(params);
                yield resources.list();
            }
            case TEMPLATES_LIST -> {
                rejectCursor(params);
                yield resources.templates();
            }
            case RESOURCES_READ -> readResource(params, caller);
            default ->
                    throw new RpcException(
                            RpcError.METHOD_NOT_FOUND, "Method not found: " + method.wireName());
        };
    }

    private static void rejectCursor(Json params) {
        if (params.member("cursor") != null) {
            throw new RpcException(INVALID_PARAMS, "Invalid params: no such cursor");
        }
    }

    private Json readResource(Json params, ClientContext caller) {
        String uri = JsonFields.text(params, "uri");
        return resources
                .find(uri)
                .map(ResourceStore::contents)
                .orElseThrow(() -> resourceNotFound(uri, caller));
    }

    @Override
    public Subscription subscribeToChanges(ServiceListener listener) {
        return resources.onChange(() -> listener.listChanged("resources"))::run;
    }

    @Override
    public void onSessionEnded(Object session) {
        Thread.ofVirtual().name("repl session end").start(() -> sessions.endClient(session));
    }

    /** Ends the JVMs of all sessions. */
    @Override
    public void close() {
        sessions.close();
    }

    private Json callTool(Json params, ClientContext caller) throws InterruptedException {
        String name = JsonFields.text(params, "name");
        Json given = params.member("arguments");
        Json arguments = given == null ? Json.EMPTY_OBJECT : given;
        ProtocolVersion version = caller.version();
        NamedSession target;
        try {
            target = sessions.find(JsonFields.text(arguments, "session"), caller.session());
        } catch (ReplException e) {
            return ReplToolResult.error(String.valueOf(e.getMessage())).toJson(version);
        }
        ReplTool tool =
                name.equals(SESSIONS_TOOL)
                        ? sessionList.sessions(caller.session())
                        : target.tools().get(name);
        if (tool == null) {
            throw invalidParams("Unknown tool: " + name, ErrorReason.TOOL_NOT_FOUND);
        }
        List<String> faults = ToolArguments.validationErrors(tool.parameters(), arguments);
        if (!faults.isEmpty()) {
            String message = "Invalid arguments for " + name + ": " + String.join("; ", faults);
            if (version.isAtLeast(ProtocolVersion.V2025_11_25)) {
                return ReplToolResult.error(message).toJson(version);
            }
            throw invalidParams(message, ErrorReason.INVALID_ARGUMENTS);
        }
        ProgressListener progress = progressListener(params, caller);
        return run(tool, target.session(), ToolArguments.of(arguments), progress).toJson(version);
    }

    private static RpcException resourceNotFound(String uri, ClientContext caller) {
        int code =
                caller.version().era() == Era.MODERN
                        ? INVALID_PARAMS
                        : McpErrorCodes.RESOURCE_NOT_FOUND;
        String message =
                "There is no resource " + uri + ". It may have been removed for newer ones.";
        return new RpcException(RpcError.of(code, message, ErrorReason.RESOURCE_NOT_FOUND.name()));
    }

    private static RpcException invalidParams(String message, ErrorReason reason) {
        return new RpcException(RpcError.of(INVALID_PARAMS, message, reason.name()));
    }

    private static ReplToolResult run(
            ReplTool tool, ReplSession session, ToolArguments arguments, ProgressListener progress)
            throws InterruptedException {
        try {
            ReplToolResult answer = tool.action().call(arguments, progress);
            // An evaluation tells by itself what was before it; what comes after is for the next.
            boolean tells = tool.effect() == ReplTool.Effect.RUNS_CODE;
            return tells ? answer : answer.withNotice(session.takeNotice());
        } catch (ReplException e) {
            return ReplToolResult.error(String.valueOf(e.getMessage()))
                    .withNotice(session.takeNotice());
        }
    }

    private static ProgressListener progressListener(Json params, ClientContext caller) {
        Json meta = params.member(MetaKeys.META);
        Json token = meta == null ? null : meta.member(MetaKeys.PROGRESS_TOKEN);
        if (token == null) {
            return ProgressListener.NONE;
        }
        return (elapsed, message) ->
                caller.requestContext()
                        .sendNotification(
                                new Notification(
                                        "notifications/progress",
                                        new JsonWriter()
                                                .beginObject()
                                                .member("progressToken", token)
                                                .member("progress", elapsed.toMillis())
                                                .member("message", message)
                                                .endObject()
                                                .toJson()));
    }
}

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
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Java REPL as a service: a fixed list of tools over one session. It answers at once; the
 * session's JVM starts behind it with the first request.
 */
public final class ReplService implements CloseableMcpService {
    private static final Json CAPABILITIES = Json.of("{\"tools\":{}}");

    private final Implementation identity;
    private final ReplSession session;
    private final Map<String, ReplTool> tools = new LinkedHashMap<>();
    private final Json toolList;

    private ReplService(Implementation identity, ReplSession session, MavenResolver maven) {
        this.identity = identity;
        this.session = session;
        Stream.of(
                        new RunTools(session).all(),
                        new InspectTools(session).all(),
                        new LookupTools(session).all(),
                        new SessionTools(session, maven).all())
                .flatMap(List::stream)
                .forEach(tool -> tools.put(tool.name(), tool));
        JsonWriter writer = new JsonWriter().beginObject().name("tools").beginArray();
        tools.values().forEach(tool -> tool.write(writer));
        toolList = writer.endArray().endObject().toJson();
    }

    /** A service with a session in a JVM like this one, which starts when it is needed. */
    public static ReplService create(Implementation identity) {
        return of(
                identity,
                new ReplSession(ReplSessionOptions.defaults(), EvaluationLimits.DEFAULTS));
    }

    static ReplService of(Implementation identity, ReplSession session) {
        return new ReplService(identity, session, MavenResolver.fromEnvironment());
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
        if (method == McpMethod.TOOLS_LIST) {
            if (params.member("cursor") != null) {
                throw new RpcException(INVALID_PARAMS, "Invalid params: no such cursor");
            }
            session.startInBackground();
            return toolList;
        }
        if (method == McpMethod.TOOLS_CALL) {
            return callTool(params, caller);
        }
        throw new RpcException(RpcError.METHOD_NOT_FOUND, "Method not found: " + method.wireName());
    }

    @Override
    public Subscription subscribeToChanges(ServiceListener listener) {
        return () -> {};
    }

    /** Ends the session's JVM. */
    @Override
    public void close() {
        session.close();
    }

    private Json callTool(Json params, ClientContext caller) throws InterruptedException {
        String name = JsonFields.text(params, "name");
        ReplTool tool = tools.get(name);
        if (tool == null) {
            throw invalidParams("Unknown tool: " + name, ErrorReason.TOOL_NOT_FOUND);
        }
        Json given = params.member("arguments");
        Json arguments = given == null ? Json.EMPTY_OBJECT : given;
        List<String> faults = ToolArguments.validationErrors(tool.parameters(), arguments);
        if (!faults.isEmpty()) {
            String message = "Invalid arguments for " + name + ": " + String.join("; ", faults);
            if (caller.version().isAtLeast(ProtocolVersion.V2025_11_25)) {
                return ReplToolResult.error(message).toJson();
            }
            throw invalidParams(message, ErrorReason.INVALID_ARGUMENTS);
        }
        return run(tool, ToolArguments.of(arguments), progressListener(params, caller)).toJson();
    }

    private static RpcException invalidParams(String message, ErrorReason reason) {
        return new RpcException(RpcError.of(INVALID_PARAMS, message, reason.name()));
    }

    private ReplToolResult run(ReplTool tool, ToolArguments arguments, ProgressListener progress)
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

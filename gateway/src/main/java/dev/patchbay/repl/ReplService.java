package dev.patchbay.repl;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;

import dev.patchbay.front.Caller;
import dev.patchbay.front.Service;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Reason;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Java REPL as a service: a fixed list of tools over one session. It answers at once; the
 * session's JVM starts behind it with the first request.
 */
public final class ReplService implements Service, AutoCloseable {
    private static final Json CAPABILITIES = Json.of("{\"tools\":{}}");

    private final Implementation identity;
    private final Session session;
    private final Map<String, Tool> tools = new LinkedHashMap<>();
    private final Json list;

    private ReplService(Implementation identity, Session session, Maven maven) {
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
        list = writer.endArray().endObject().toJson();
    }

    /** A service with a session in a JVM like this one, which starts when it is needed. */
    public static ReplService create(Implementation identity) {
        return of(identity, new Session(SessionOptions.defaults(), Limits.DEFAULTS));
    }

    static ReplService of(Implementation identity, Session session) {
        return new ReplService(identity, session, Maven.ofThePath());
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
        return Guide.INSTRUCTIONS;
    }

    @Override
    public Json serve(Method method, Json params, Caller caller) throws InterruptedException {
        if (method == Method.TOOLS_LIST) {
            if (params.member("cursor") != null) {
                throw new RpcException(INVALID_PARAMS, "Invalid params: no such cursor");
            }
            session.warm();
            return list;
        }
        if (method == Method.TOOLS_CALL) {
            return call(params, caller);
        }
        throw new RpcException(RpcError.METHOD_NOT_FOUND, "Method not found: " + method.wireName());
    }

    @Override
    public Subscription listen(ServiceListener listener) {
        return () -> {};
    }

    /** Ends the session's JVM. */
    @Override
    public void close() {
        session.close();
    }

    private Json call(Json params, Caller caller) throws InterruptedException {
        String name = Fields.text(params, "name");
        Tool tool = tools.get(name);
        if (tool == null) {
            throw refused("Unknown tool: " + name, Reason.TOOL_NOT_FOUND);
        }
        Json given = params.member("arguments");
        Json arguments = given == null ? Json.EMPTY_OBJECT : given;
        List<String> faults = Arguments.faults(tool.parameters(), arguments);
        if (!faults.isEmpty()) {
            String message = "Invalid arguments for " + name + ": " + String.join("; ", faults);
            if (caller.version().isAtLeast(ProtocolVersion.V2025_11_25)) {
                return ToolAnswer.error(message).toJson();
            }
            throw refused(message, Reason.INVALID_ARGUMENTS);
        }
        return perform(tool, Arguments.of(arguments), progress(params, caller)).toJson();
    }

    private static RpcException refused(String message, Reason reason) {
        return new RpcException(RpcError.of(INVALID_PARAMS, message, reason.name()));
    }

    private ToolAnswer perform(Tool tool, Arguments arguments, Progress progress)
            throws InterruptedException {
        try {
            ToolAnswer answer = tool.action().call(arguments, progress);
            // An evaluation tells by itself what was before it; what comes after is for the next.
            boolean tells = tool.effect() == Tool.Effect.RUNS;
            return tells ? answer : answer.after(session.takeNotice());
        } catch (SessionException e) {
            return ToolAnswer.error(String.valueOf(e.getMessage())).after(session.takeNotice());
        }
    }

    private static Progress progress(Json params, Caller caller) {
        Json meta = params.member(MetaKeys.META);
        Json token = meta == null ? null : meta.member(MetaKeys.PROGRESS_TOKEN);
        if (token == null) {
            return Progress.NONE;
        }
        return (elapsed, message) ->
                caller.exchange()
                        .notify(
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

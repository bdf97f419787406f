package dev.patchbay.front;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;
import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Codes;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Results;
import dev.patchbay.mcp.Tasks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves requests that stand for themselves. It keeps nothing between them, and knows only those
 * that listen, to end them.
 */
final class ModernEra {
    private static final Implementation NOBODY = new Implementation("", "");

    private final String principal;
    private final Service service;
    private final Set<Listening> listeners = ConcurrentHashMap.newKeySet();
    private volatile boolean ending;

    ModernEra(String principal, Service service) {
        this.principal = principal;
        this.service = service;
    }

    Json handle(Request request, Json params, Exchange exchange) throws InterruptedException {
        Caller caller = caller(params, exchange);
        Method method = Method.of(request.method());
        if (method == null || !service.serves(method, caller.version())) {
            throw new RpcException(METHOD_NOT_FOUND, "Method not found: " + request.method());
        }
        Params.check(method, params);
        Json result =
                switch (method) {
                    case DISCOVER -> discovered(caller.version());
                    case LISTEN -> listen(new Listening(service, request.id(), params, caller));
                    default -> service.serve(method, params, caller);
                };
        return Results.modern(result, method.isCacheable(), service.identity().toJson());
    }

    /** Passes a call of a tool on, if nothing about it needs a longer look. */
    boolean pass(Json params, Exchange exchange, Completion completion) {
        Caller caller = caller(params, exchange);
        if (!service.serves(Method.TOOLS_CALL, caller.version())) {
            return false;
        }
        Params.check(Method.TOOLS_CALL, params);
        Json self = service.identity().toJson();
        return service.pass(
                params, caller, result -> Results.modern(result, false, self), completion);
    }

    private Json listen(Listening listening) throws InterruptedException {
        listeners.add(listening);
        try {
            if (ending) {
                listening.end();
            }
            return listening.run();
        } finally {
            listeners.remove(listening);
        }
    }

    /** Ends all listening, now and from now on. */
    void ending() {
        ending = true;
        listeners.forEach(Listening::end);
    }

    private Json discovered(ProtocolVersion version) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .name("supportedVersions")
                        .value(supported())
                        .member("capabilities", service.capabilities(version));
        String instructions = service.instructions();
        if (instructions != null) {
            writer.member("instructions", instructions);
        }
        return writer.endObject().toJson();
    }

    private Caller caller(Json params, Exchange exchange) {
        Json meta = params.member(MetaKeys.META);
        if (meta == null) {
            throw missing(MetaKeys.PROTOCOL_VERSION);
        }
        String asked = meta.memberText(MetaKeys.PROTOCOL_VERSION);
        Json capabilities = meta.member(MetaKeys.CLIENT_CAPABILITIES);
        if (asked == null) {
            throw missing(MetaKeys.PROTOCOL_VERSION + " to be a string");
        }
        ProtocolVersion version =
                ProtocolVersion.of(asked)
                        .filter(known -> known.era() == Era.MODERN)
                        .orElseThrow(() -> unsupported(asked));
        if (capabilities == null || !capabilities.isObject()) {
            throw missing(MetaKeys.CLIENT_CAPABILITIES + ", an object");
        }
        Json client = meta.member(MetaKeys.CLIENT_INFO);
        String level = meta.memberText(MetaKeys.LOG_LEVEL);
        if (meta.member(MetaKeys.LOG_LEVEL) != null && (level == null || !LogLevel.isOne(level))) {
            throw missing(MetaKeys.LOG_LEVEL + " to be a log level");
        }
        Implementation named = client == null ? NOBODY : Implementation.of(client);
        Json declared = Tasks.modern(capabilities);
        var visitor = new Caller.Visitor(principal, named);
        return new Caller(principal, visitor, version, named, declared, level, exchange);
    }

    private static RpcException missing(String what) {
        return new RpcException(INVALID_PARAMS, "Invalid params: _meta needs " + what);
    }

    private static RpcException unsupported(String asked) {
        Json data =
                new JsonWriter()
                        .beginObject()
                        .name("supported")
                        .value(supported())
                        .member("requested", asked)
                        .endObject()
                        .toJson();
        return new RpcException(
                new RpcError(
                        Codes.UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data));
    }

    private static Json supported() {
        return new JsonWriter()
                .beginArray()
                .string(ProtocolVersion.NEWEST_MODERN.text())
                .endArray()
                .toJson();
    }
}

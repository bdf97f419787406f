package dev.patchbay.clients;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;
import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.gateway.Caller;
import dev.patchbay.gateway.ClientIdentity;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.McpErrorCodes;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.ResultConverter;
import dev.patchbay.mcp.TaskMessages;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Handles the modern requests of one connection, or a single one over HTTP. It keeps no state
 * between them, except the open listen requests.
 */
final class ModernHandler {
    private static final Implementation UNKNOWN_CLIENT = new Implementation("", "");

    private final String principal;
    private final McpService service;
    private final @Nullable ClientIdentity client;
    private final @Nullable String directory;
    private final Set<ListenRequest> listenRequests = ConcurrentHashMap.newKeySet();
    private volatile boolean shutDown;

    /**
     * Creates a handler.
     *
     * @param client the client of the connection; null over HTTP, where the requests of a principal
     *     under one name count as one client
     * @param directory the client's working directory; null if it is not known
     */
    ModernHandler(
            String principal,
            McpService service,
            @Nullable ClientIdentity client,
            @Nullable String directory) {
        this.principal = principal;
        this.service = service;
        this.client = client;
        this.directory = directory;
    }

    void handle(Request request, Json params, Responder responder) {
        ClientContext client = contextOf(params, responder.context());
        McpMethod method = McpMethod.of(request.method());
        if (method == null || !service.supports(method, client.version())) {
            throw new RpcException(METHOD_NOT_FOUND, "Method not found: " + request.method());
        }
        ParamsValidator.validate(method, params);
        Json serverInfo = service.identity().toJson();
        boolean cacheable = method.isCacheable();
        var modern =
                new MappedResponder(
                        responder,
                        result -> ResultConverter.toModern(result, cacheable, serverInfo));
        switch (method) {
            case DISCOVER -> modern.succeed(discoverResult(client.version()));
            case LISTEN -> {
                var listen = new ListenRequest(service, request.id(), params, client);
                modern.fork(() -> run(listen));
            }
            default -> service.handle(method, params, client, modern);
        }
    }

    private Json run(ListenRequest listen) throws InterruptedException {
        listenRequests.add(listen);
        try {
            if (shutDown) {
                listen.end();
            }
            return listen.run();
        } finally {
            listenRequests.remove(listen);
        }
    }

    /** Ends all listen requests, open and future ones. */
    void shutDown() {
        shutDown = true;
        listenRequests.forEach(ListenRequest::end);
    }

    private Json discoverResult(ProtocolVersion version) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .name("supportedVersions")
                        .value(supportedVersions())
                        .member("capabilities", service.capabilities(version));
        String instructions = service.instructions();
        if (instructions != null) {
            writer.member("instructions", instructions);
        }
        return writer.endObject().toJson();
    }

    private ClientContext contextOf(Json params, RequestContext context) {
        Json meta = params.member(MetaKeys.META);
        if (meta == null) {
            throw missingMeta(MetaKeys.PROTOCOL_VERSION);
        }
        String asked = meta.memberText(MetaKeys.PROTOCOL_VERSION);
        Json capabilities = meta.member(MetaKeys.CLIENT_CAPABILITIES);
        if (asked == null) {
            throw missingMeta(MetaKeys.PROTOCOL_VERSION + " to be a string");
        }
        ProtocolVersion version =
                ProtocolVersion.of(asked)
                        .filter(known -> known.era() == Era.MODERN)
                        .orElseThrow(() -> unsupportedVersion(asked));
        if (capabilities == null || !capabilities.isObject()) {
            throw missingMeta(MetaKeys.CLIENT_CAPABILITIES + ", an object");
        }
        Json info = meta.member(MetaKeys.CLIENT_INFO);
        String level = meta.memberText(MetaKeys.LOG_LEVEL);
        if (meta.member(MetaKeys.LOG_LEVEL) != null
                && (level == null || !LogLevel.isValid(level))) {
            throw missingMeta(MetaKeys.LOG_LEVEL + " to be a log level");
        }
        Implementation named = info == null ? UNKNOWN_CLIENT : Implementation.of(info);
        Json declared = TaskMessages.withoutLegacyTasks(capabilities);
        var visitor = new ClientContext.StatelessClient(principal, named);
        var caller = new Caller(client == null ? visitor : client, Era.MODERN, false, directory);
        return new ClientContext(
                principal, visitor, this, version, named, declared, level, context, caller);
    }

    private static RpcException missingMeta(String what) {
        return new RpcException(INVALID_PARAMS, "Invalid params: _meta needs " + what);
    }

    private static RpcException unsupportedVersion(String asked) {
        Json data =
                new JsonWriter()
                        .beginObject()
                        .name("supported")
                        .value(supportedVersions())
                        .member("requested", asked)
                        .endObject()
                        .toJson();
        return new RpcException(
                new RpcError(
                        McpErrorCodes.UNSUPPORTED_PROTOCOL_VERSION,
                        "Unsupported protocol version",
                        data));
    }

    private static Json supportedVersions() {
        return new JsonWriter()
                .beginArray()
                .string(ProtocolVersion.NEWEST_MODERN.text())
                .endArray()
                .toJson();
    }
}

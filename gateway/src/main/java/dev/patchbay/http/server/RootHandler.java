package dev.patchbay.http.server;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.Consumer;

/**
 * Handles every request: checks host and origin, then the token, then finds the route. It runs on
 * the thread that serves all connections, so blocking work continues on another one.
 */
final class RootHandler extends Handler.Abstract.NonBlocking {
    private static final String BEARER_PREFIX = "bearer ";
    private static final String RETRY_AFTER_SECONDS = "5";

    /** The endpoint, and who gets which view there. */
    record McpPart(McpEndpoint endpoint, ViewAccess access) {}

    private final OriginGuard originGuard;
    private final TokenAuthenticator authenticator;
    private final AuthenticateHeader challenge;
    private final BoundedConnector connector;
    private final McpPart mcp;
    private final Map<String, HttpRoute> routes;
    private volatile boolean isShuttingDown;

    RootHandler(
            OriginGuard originGuard,
            TokenAuthenticator authenticator,
            BoundedConnector connector,
            McpPart mcp,
            Map<String, HttpRoute> routes) {
        this.originGuard = originGuard;
        this.authenticator = authenticator;
        this.challenge = new AuthenticateHeader(authenticator.protectedResource());
        this.connector = connector;
        this.mcp = mcp;
        this.routes = Map.copyOf(routes);
    }

    /** Refuses new requests from now on. */
    void refuseNewRequests() {
        isShuttingDown = true;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        EndPoint socket = request.getConnectionMetaData().getConnection().getEndPoint();
        var visit = new HttpExchange(request, response, callback, (ClientEndPoint) socket);
        try {
            dispatch(visit);
        } catch (Throwable e) {
            visit.respondInternalError(e);
        }
        return true;
    }

    private void dispatch(HttpExchange visit) {
        String path = visit.request().getHttpURI().getCanonicalPath();
        boolean isMcp = ViewAccess.isEndpoint(path);
        HttpRoute part = path == null || isMcp ? null : findRoute(path);
        boolean isForAnyOrigin = part != null && part.isPublic() && part.isForAnyOrigin();
        if (!hasAllowedHostAndOrigin(visit, isForAnyOrigin)) {
            visit.refuse(403, "Forbidden: the Host or Origin is not one of this server");
            return;
        }
        if (isShuttingDown) {
            visit.setHeader("Connection", "close");
            visit.refuse(503, "Shutting down");
            return;
        }
        var target = new Target(path, isMcp, part);
        String token = bearerToken(visit);
        Principal principal = authenticator.authenticate(token);
        if (principal == null
                && token != null
                && !target.isPublic()
                && authenticator.canVerify(token)) {
            visit.runOnVirtualThread(() -> verifyAndServe(visit, target, token));
        } else {
            serve(visit, target, principal);
        }
    }

    /** What a request is for: the endpoint, another route, or nothing that exists. */
    private record Target(@Nullable String path, boolean isMcp, @Nullable HttpRoute part) {
        boolean isPublic() {
            return part != null && part.isPublic();
        }

        AccessScope scope() {
            return part == null ? AccessScope.MCP : part.scope();
        }
    }

    /** Continues with a token that takes longer to verify than the reading thread may wait. */
    private void verifyAndServe(HttpExchange visit, Target target, String token) {
        try {
            switch (authenticator.verify(token)) {
                case TokenVerdict.Accepted(Principal principal) -> serve(visit, target, principal);
                case TokenVerdict.Invalid(String reason) -> {
                    visit.setHeader(
                            AuthenticateHeader.NAME,
                            challenge.tokenInvalid(target.path, target.scope(), reason));
                    visit.refuse(401, "Unauthorized: " + reason);
                }
                case TokenVerdict.Forbidden(String reason) ->
                        visit.refuse(403, "Forbidden: " + reason);
                case TokenVerdict.Unavailable(String reason) -> {
                    visit.setHeader("Retry-After", RETRY_AFTER_SECONDS);
                    visit.refuse(503, reason);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            visit.refuse(503, "Shutting down");
        }
    }

    private void serve(HttpExchange visit, Target target, @Nullable Principal principal) {
        visit.setPrincipal(principal);
        String path = target.path;
        HttpRoute part = target.part;
        if (path != null && part != null && part.isPublic()) {
            visit.runOnVirtualThread(() -> serveRoute(part, visit, path, principal));
        } else if (principal == null) {
            visit.setHeader(AuthenticateHeader.NAME, challenge.tokenMissing(path, target.scope()));
            visit.refuse(401, "Unauthorized: a bearer token is needed");
        } else if (path == null || (part == null && !target.isMcp)) {
            visit.refuse(404, "Nothing is here; the endpoint is " + ViewAccess.MCP_PATH);
        } else if (isAllowed(visit, principal, target)) {
            if (part == null) {
                serveMcp(visit, principal, path);
            } else {
                visit.runOnVirtualThread(() -> serveRoute(part, visit, path, principal));
            }
        }
    }

    private void serveMcp(HttpExchange visit, Principal principal, String path) {
        switch (mcp.access().decide(principal, path)) {
            case ViewAccess.Decision.Granted(EndpointClient client) ->
                    mcp.endpoint().handle(visit, client);
            case ViewAccess.Decision.Refused(int status, String reason) ->
                    visit.refuse(status, reason);
        }
    }

    /** Whether the principal may send this request; if not, the response was sent. */
    private boolean isAllowed(HttpExchange visit, Principal principal, Target target) {
        AccessScope scope = target.scope();
        if (!principal.has(scope)) {
            visit.setHeader(AuthenticateHeader.NAME, challenge.scopeMissing(target.path, scope));
            visit.refuse(403, "Forbidden: the token has no scope " + scope.text());
            return false;
        }
        if (!connector.authenticate(visit.endPoint(), principal.name())) {
            visit.setHeader("Connection", "close");
            visit.refuse(429, "Too many connections of this client");
            return false;
        }
        return true;
    }

    private boolean hasAllowedHostAndOrigin(HttpExchange visit, boolean isForAnyOrigin) {
        Request request = visit.request();
        String origin = isForAnyOrigin ? null : visit.header("Origin");
        return visit.headerCount("Host") == 1
                && visit.headerCount("Origin") <= 1
                && originGuard.allows(visit.header("Host"), origin)
                && originGuard.allows(request.getHttpURI().getAuthority(), null);
    }

    /** The route for a path: the longest matching prefix. */
    private @Nullable HttpRoute findRoute(String path) {
        String at = path;
        while (true) {
            HttpRoute part = routes.get(at);
            if (part != null) {
                return part;
            }
            int slash = at.lastIndexOf('/');
            if (slash < 0) {
                return null;
            }
            at = slash == 0 && at.length() > 1 ? "/" : at.substring(0, slash);
        }
    }

    private @Nullable String bearerToken(HttpExchange visit) {
        if (authenticator.allowsAnonymous()
                || visit.headerCount(HttpHeader.AUTHORIZATION.asString()) != 1) {
            return null;
        }
        String header = visit.header(HttpHeader.AUTHORIZATION.asString());
        if (header == null
                || !header.regionMatches(true, 0, BEARER_PREFIX, 0, BEARER_PREFIX.length())) {
            return null;
        }
        return header.substring(BEARER_PREFIX.length()).strip();
    }

    private static void serveRoute(
            HttpRoute part, HttpExchange visit, String path, @Nullable Principal principal) {
        try {
            String query = visit.request().getHttpURI().getQuery();
            String method = visit.request().getMethod();
            String accept = visit.header(HttpHeader.ACCEPT.asString());
            var answer = part.serve(new HttpRoute.Request(method, path, query, accept, principal));
            answer.headers().forEach(visit::setHeader);
            Consumer<EventSink> events = answer.events();
            String tag = answer.headers().get(HttpHeader.ETAG.asString());
            if (tag != null && tag.equals(visit.header(HttpHeader.IF_NONE_MATCH.asString()))) {
                visit.respondBytes(304, answer.type(), new byte[0]);
            } else if (events == null) {
                visit.respondBytes(answer.status(), answer.type(), answer.body());
            } else {
                RouteEventSink.open(visit, events);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            visit.refuse(503, "Shutting down");
        }
    }
}

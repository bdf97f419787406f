package dev.patchbay.http;

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
 * Where every request comes in: first whether it is meant for us, then who sent it, then what it
 * wants. This is done on the thread that serves all connections, so what may wait gets another.
 */
final class FrontDoor extends Handler.Abstract.NonBlocking {
    static final String ENDPOINT = "/mcp";

    private static final String BEARER = "bearer ";

    private final Guard guard;
    private final Access access;
    private final McpEndpoint endpoint;
    private final Map<String, WebPart> parts;
    private volatile boolean closing;

    FrontDoor(Guard guard, Access access, McpEndpoint endpoint, Map<String, WebPart> parts) {
        this.guard = guard;
        this.access = access;
        this.endpoint = endpoint;
        this.parts = Map.copyOf(parts);
    }

    /** Lets nobody in any more. */
    void shut() {
        closing = true;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        EndPoint socket = request.getConnectionMetaData().getConnection().getEndPoint();
        var visit = new Visit(request, response, callback, (ClientSocket) socket);
        try {
            enter(visit);
        } catch (RuntimeException e) {
            visit.failed(e);
        }
        return true;
    }

    private void enter(Visit visit) {
        if (!isForUs(visit)) {
            visit.refuse(403, "Forbidden: the Host or Origin is not one of this server");
            return;
        }
        if (closing) {
            visit.setHeader("Connection", "close");
            visit.refuse(503, "Shutting down");
            return;
        }
        String path = visit.request().getHttpURI().getCanonicalPath();
        WebPart part = path == null || path.equals(ENDPOINT) ? null : part(path);
        String principal = access.principal(token(visit));
        if (principal == null && (part == null || !part.isPublic())) {
            visit.setHeader("WWW-Authenticate", "Bearer realm=\"patchbay\"");
            visit.refuse(401, "Unauthorized: a bearer token is needed");
        } else if (part != null) {
            visit.later(() -> serve(part, visit, path));
        } else if (principal != null && ENDPOINT.equals(path)) {
            endpoint.serve(visit, principal);
        } else {
            visit.refuse(404, "Nothing is here; the endpoint is " + ENDPOINT);
        }
    }

    private boolean isForUs(Visit visit) {
        Request request = visit.request();
        return visit.count("Host") == 1
                && visit.count("Origin") <= 1
                && guard.admits(visit.header("Host"), visit.header("Origin"))
                && guard.admits(request.getHttpURI().getAuthority(), null);
    }

    /** The part for a path: the longest that is mounted at its start. */
    private @Nullable WebPart part(String path) {
        String at = path;
        while (true) {
            WebPart part = parts.get(at);
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

    private @Nullable String token(Visit visit) {
        if (access.isOpen() || visit.count(HttpHeader.AUTHORIZATION.asString()) != 1) {
            return null;
        }
        String header = visit.header(HttpHeader.AUTHORIZATION.asString());
        if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return null;
        }
        return header.substring(BEARER.length()).strip();
    }

    private static void serve(WebPart part, Visit visit, String path) {
        try {
            String query = visit.request().getHttpURI().getQuery();
            var answer = part.serve(new WebPart.Ask(visit.request().getMethod(), path, query));
            answer.headers().forEach(visit::setHeader);
            Consumer<EventSink> events = answer.events();
            if (events == null) {
                visit.bytes(answer.status(), answer.type(), answer.body());
            } else {
                PartEvents.open(visit, events);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            visit.refuse(503, "Shutting down");
        }
    }
}

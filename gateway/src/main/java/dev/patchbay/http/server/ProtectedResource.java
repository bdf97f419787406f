package dev.patchbay.http.server;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * What clients need to know to get an access token for this server (RFC 9728).
 *
 * @param baseUrl the URL of the server as clients see it, without a slash at the end
 * @param issuers the authorization servers
 * @param scopeNames the name that each scope has at the authorization servers
 */
public record ProtectedResource(
        String baseUrl, List<String> issuers, Map<AccessScope, String> scopeNames)
        implements HttpRoute {
    /** Where the metadata is; the path of the endpoint may follow. */
    public static final String METADATA_PATH = "/.well-known/oauth-protected-resource";

    public ProtectedResource {
        issuers = List.copyOf(issuers);
        scopeNames = Map.copyOf(scopeNames);
    }

    @Override
    public boolean isPublic() {
        return true;
    }

    @Override
    public Response serve(Request ask) {
        if (!ask.method().equals("GET") && !ask.method().equals("HEAD")) {
            return Response.text(405, "Method not allowed");
        }
        String path = ask.path().substring(METADATA_PATH.length());
        if (!path.isEmpty() && !isPlainEndpoint(path)) {
            return Response.text(404, "The endpoint is " + ViewAccess.MCP_PATH);
        }
        return new Response(200, "application/json", metadata(path).toBytes());
    }

    /** The URL of the metadata for a path; that of the endpoint for paths outside of it. */
    String metadataUrl(@Nullable String path) {
        return baseUrl + METADATA_PATH + endpointPath(path);
    }

    /** The name of a scope at the authorization servers. */
    String scopeName(AccessScope scope) {
        return scopeNames.getOrDefault(scope, scope.text());
    }

    /**
     * Only the scope of the endpoint is listed: many clients request every scope that they find
     * here.
     */
    private Json metadata(String path) {
        var writer = new JsonWriter().beginObject();
        writer.member("resource", baseUrl + endpointPath(path));
        writer.name("authorization_servers").beginArray();
        issuers.forEach(writer::string);
        writer.endArray().name("scopes_supported").beginArray();
        writer.string(scopeName(AccessScope.MCP)).endArray();
        writer.name("bearer_methods_supported").beginArray().string("header").endArray();
        return writer.member("resource_name", "Patchbay").endObject().toJson();
    }

    private static String endpointPath(@Nullable String path) {
        return path != null && isPlainEndpoint(path) ? path : ViewAccess.MCP_PATH;
    }

    /** Whether a path is that of the endpoint and can be written into a header as it is. */
    private static boolean isPlainEndpoint(String path) {
        return ViewAccess.isEndpoint(path)
                && path.chars()
                        .allMatch(
                                c ->
                                        (c >= 'a' && c <= 'z')
                                                || (c >= 'A' && c <= 'Z')
                                                || (c >= '0' && c <= '9')
                                                || "/-_".indexOf(c) >= 0);
    }
}

package dev.patchbay.app.wiring;

import dev.patchbay.http.server.HttpRoute;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.ProtocolVersion;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * Serves the server card: what a client can know about the endpoint before it connects. It is
 * public, and the pages of any web site may read it, as the draft SEP-2127 demands. It says nothing
 * about servers, tools or views.
 */
final class ServerCardRoute implements HttpRoute {
    static final String PATH = "/mcp/server-card";

    private static final String TYPE = "application/mcp-server-card+json";
    private static final String SCHEMA =
            "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
    private static final int TAG_BYTES = 16;

    private final byte[] card;
    private final Map<String, String> headers;

    /**
     * Creates the route.
     *
     * @param url the URL of the endpoint, as clients reach it
     * @param isTokenRequired whether clients must send a token
     */
    ServerCardRoute(String url, boolean isTokenRequired) {
        this.card = write(url, isTokenRequired);
        this.headers =
                Map.of(
                        "Access-Control-Allow-Origin", "*",
                        "Access-Control-Allow-Methods", "GET",
                        "Access-Control-Allow-Headers", "Content-Type, If-None-Match",
                        "Access-Control-Expose-Headers", "ETag",
                        "Cache-Control", "public, max-age=3600",
                        "ETag", '"' + digest(card) + '"');
    }

    @Override
    public boolean isPublic() {
        return true;
    }

    @Override
    public boolean isForAnyOrigin() {
        return true;
    }

    @Override
    public Response serve(Request ask) {
        if (!ask.path().equals(PATH)) {
            return Response.text(404, "Nothing is here; the card is at " + PATH);
        }
        return switch (ask.method()) {
            case "GET", "HEAD" -> new Response(200, TYPE, card).withHeaders(headers);
            case "OPTIONS" -> new Response(204, TYPE, new byte[0]).withHeaders(headers);
            default ->
                    Response.text(405, "The card can only be read")
                            .withHeaders(Map.of("Allow", "GET, HEAD, OPTIONS"));
        };
    }

    private static byte[] write(String url, boolean isTokenRequired) {
        var json =
                new JsonWriter()
                        .beginObject()
                        .member("$schema", SCHEMA)
                        .member("name", "io.github.patchbay/patchbay")
                        .member("version", ProductInfo.version())
                        .member("title", "Patchbay")
                        .member("description", "One MCP endpoint for all of your MCP servers.");
        json.name("repository")
                .beginObject()
                .member("url", "https://github.com/patchbay/patchbay")
                .member("source", "github")
                .endObject();
        json.name("remotes").beginArray().beginObject();
        json.member("type", "streamable-http").member("url", url);
        if (isTokenRequired) {
            writeTokenHeader(json);
        }
        json.name("supportedProtocolVersions").beginArray();
        for (ProtocolVersion version : ProtocolVersion.values()) {
            json.string(version.text());
        }
        return json.endArray().endObject().endArray().endObject().toJson().toBytes();
    }

    private static void writeTokenHeader(JsonWriter json) {
        json.name("headers").beginArray().beginObject();
        json.member("name", "Authorization").member("value", "Bearer {token}");
        json.name("variables").beginObject().name("token").beginObject();
        json.member("description", "A token of this gateway.");
        json.member("isRequired", true).member("isSecret", true);
        json.endObject().endObject().endObject().endArray();
    }

    private static String digest(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, TAG_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

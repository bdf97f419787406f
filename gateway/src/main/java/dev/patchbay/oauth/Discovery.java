package dev.patchbay.oauth;

import dev.patchbay.json.Json;
import dev.patchbay.oauth.Terms.Abilities;
import dev.patchbay.oauth.Terms.Endpoints;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds out where a token for a server is to be had: what the server publishes of itself (RFC
 * 9728), then what the authorization server that it names publishes (RFC 8414, OpenID Connect). A
 * server of 2025-03-26 publishes nothing and is its own authorization server.
 */
final class Discovery {
    private static final String RESOURCE = "/.well-known/oauth-protected-resource";
    private static final String OAUTH = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";

    private final Web web;
    private final URI server;
    private final String pinned;
    private final String before;

    /**
     * A search for one server.
     *
     * @param pinned the one issuer that may be used; empty for any
     * @param before the issuer that was used before; empty if none was
     */
    Discovery(Web web, URI server, String pinned, String before) {
        this.web = web;
        this.server = server;
        this.pinned = pinned;
        this.before = before;
    }

    Terms find(Challenge challenge) throws SignInFailed, InterruptedException {
        Json published = resource(challenge);
        if (published == null) {
            return ofOld();
        }
        String resource = published.memberText("resource");
        if (resource == null || !isOurs(resource)) {
            throw new SignInFailed(
                    "The server publishes that it is another one: "
                            + Shown.of(String.valueOf(resource)));
        }
        String issuer = issuer(texts(published.member("authorization_servers")));
        Json metadata = metadata(issuer);
        if (metadata == null) {
            throw new SignInFailed(
                    "The authorization server %s publishes nothing of itself"
                            .formatted(Shown.of(issuer)));
        }
        return terms(resource, metadata, texts(published.member("scopes_supported")));
    }

    /** What the server publishes of itself; null if that is nothing. */
    private @Nullable Json resource(Challenge challenge) throws SignInFailed, InterruptedException {
        if (!challenge.resourceMetadata().isEmpty()) {
            Json told = web.document(challenge.resourceMetadata());
            if (told != null) {
                return told;
            }
        }
        String path = path(server);
        Json special = path.isEmpty() ? null : web.document(origin(server) + RESOURCE + path);
        return special != null ? special : web.document(origin(server) + RESOURCE);
    }

    /** Whether a name is the server's own, or that of a whole of which it is a part. */
    private boolean isOurs(String resource) {
        URI named;
        try {
            named = URI.create(resource);
        } catch (IllegalArgumentException _) {
            return false;
        }
        String part = path(named);
        String whole = path(server);
        return named.getRawFragment() == null
                && origin(named).equals(origin(server))
                && (whole.equals(part) || whole.startsWith(part + "/"));
    }

    private String issuer(List<String> named) throws SignInFailed {
        if (named.contains(pinned)) {
            return pinned;
        }
        if (!pinned.isEmpty()) {
            throw new SignInFailed(
                    "The server does not name the issuer that is to be used, but "
                            + Shown.of(String.join(", ", named)),
                    true);
        }
        if (named.isEmpty()) {
            throw new SignInFailed("The server names no authorization server");
        }
        return named.contains(before) ? before : named.getFirst();
    }

    /** The metadata of an issuer, whose name must stand in it; null if there are none. */
    private @Nullable Json metadata(String issuer) throws SignInFailed, InterruptedException {
        String foreign = null;
        for (String place : places(web.places().checked(issuer))) {
            Json found = web.document(place);
            String name = found == null ? null : found.memberText("issuer");
            if (found != null && issuer.equals(name)) {
                return found;
            }
            foreign = found == null ? foreign : String.valueOf(name);
        }
        if (foreign != null) {
            throw new SignInFailed(
                    "What %s publishes is of another issuer: %s"
                            .formatted(Shown.of(issuer), Shown.of(foreign)));
        }
        return null;
    }

    private static List<String> places(URI issuer) {
        String origin = origin(issuer);
        String path = path(issuer);
        return path.isEmpty()
                ? List.of(origin + OAUTH, origin + OPENID)
                : List.of(origin + OAUTH + path, origin + OPENID + path, origin + path + OPENID);
    }

    private Terms terms(String resource, Json metadata, List<String> scopes) throws SignInFailed {
        if (!texts(metadata.member("code_challenge_methods_supported")).contains("S256")) {
            throw new SignInFailed(
                    "The authorization server does not say that it takes PKCE with S256");
        }
        String registration = metadata.memberText("registration_endpoint");
        var endpoints =
                new Endpoints(
                        endpoint(metadata, "authorization_endpoint"),
                        endpoint(metadata, "token_endpoint"),
                        registration == null ? null : web.places().checked(registration));
        var abilities =
                new Abilities(
                        texts(metadata.member("token_endpoint_auth_methods_supported")),
                        isTrue(metadata, "authorization_response_iss_parameter_supported"),
                        isTrue(metadata, "client_id_metadata_document_supported"),
                        texts(metadata.member("scopes_supported")).contains("offline_access"));
        String issuer = String.valueOf(metadata.memberText("issuer"));
        return new Terms(resource, issuer, endpoints, abilities, scopes);
    }

    private URI endpoint(Json metadata, String name) throws SignInFailed {
        String text = metadata.memberText(name);
        if (text == null) {
            throw new SignInFailed("The authorization server publishes no " + name);
        }
        return web.places().checked(text);
    }

    private static boolean isTrue(Json metadata, String name) {
        Json member = metadata.member(name);
        return member != null && member.isTrue();
    }

    /** A server that publishes nothing: it is its own authorization server. */
    private Terms ofOld() throws SignInFailed, InterruptedException {
        String issuer = pinned.isEmpty() ? origin(server) : pinned;
        Json metadata = metadata(issuer);
        if (metadata != null) {
            return terms(server.toString(), metadata, List.of());
        }
        if (!pinned.isEmpty()) {
            throw new SignInFailed("The issuer that is configured publishes nothing of itself");
        }
        var endpoints =
                new Endpoints(
                        web.places().checked(issuer + "/authorize"),
                        web.places().checked(issuer + "/token"),
                        web.places().checked(issuer + "/register"));
        var abilities = new Abilities(List.of(), false, false, false);
        return new Terms(server.toString(), issuer, endpoints, abilities, List.of());
    }

    private static String origin(URI url) {
        String scheme = lower(url.getScheme());
        int usual = scheme.equals("https") ? 443 : 80;
        boolean plain = url.getPort() < 0 || url.getPort() == usual;
        return scheme + "://" + lower(url.getHost()) + (plain ? "" : ":" + url.getPort());
    }

    /** The path without a slash at its end; empty for the root. */
    private static String path(URI url) {
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }

    static List<String> texts(@Nullable Json array) {
        var texts = new ArrayList<String>();
        if (array != null && array.isArray()) {
            array.elements().stream().filter(Json::isString).map(Json::text).forEach(texts::add);
        }
        return texts;
    }
}

package dev.patchbay.oauth;

import dev.patchbay.json.Json;
import dev.patchbay.oauth.AuthorizationMetadata.Endpoints;
import dev.patchbay.oauth.AuthorizationMetadata.Features;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds the authorization server of an MCP server: from the server's metadata (RFC 9728), then from
 * the metadata of the authorization server (RFC 8414, OpenID Connect). A server of 2025-03-26
 * publishes none and is its own authorization server.
 */
final class AuthorizationDiscovery {
    private static final String RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";
    private static final String OAUTH_METADATA_PATH = "/.well-known/oauth-authorization-server";
    private static final String OPENID_METADATA_PATH = "/.well-known/openid-configuration";

    private final OAuthHttpClient http;
    private final URI server;
    private final String requiredIssuer;
    private final String previousIssuer;

    /**
     * Discovery for one server.
     *
     * @param requiredIssuer the only issuer that may be used; empty for any
     * @param previousIssuer the issuer that was used before; empty if there was none
     */
    AuthorizationDiscovery(
            OAuthHttpClient web, URI server, String requiredIssuer, String previousIssuer) {
        this.http = web;
        this.server = server;
        this.requiredIssuer = requiredIssuer;
        this.previousIssuer = previousIssuer;
    }

    AuthorizationMetadata discover(BearerChallenge challenge)
            throws SignInFailed, InterruptedException {
        Json published = fetchResourceMetadata(challenge);
        if (published == null) {
            return discoverWithoutResourceMetadata();
        }
        String resource = published.memberText("resource");
        if (resource == null || !coversServer(resource)) {
            throw new SignInFailed(
                    "The server's metadata names another server: "
                            + DisplayText.message(String.valueOf(resource)));
        }
        String issuer = chooseIssuer(stringElements(published.member("authorization_servers")));
        Json metadata = fetchIssuerMetadata(issuer);
        if (metadata == null) {
            throw new SignInFailed(
                    "The authorization server %s publishes no metadata"
                            .formatted(DisplayText.message(issuer)));
        }
        return toAuthorizationMetadata(
                resource, metadata, stringElements(published.member("scopes_supported")));
    }

    /** Fetches the server's metadata; null if there are none. */
    private @Nullable Json fetchResourceMetadata(BearerChallenge challenge)
            throws SignInFailed, InterruptedException {
        if (!challenge.resourceMetadata().isEmpty()) {
            Json told = http.fetchJson(challenge.resourceMetadata());
            if (told != null) {
                return told;
            }
        }
        String path = path(server);
        Json special =
                path.isEmpty()
                        ? null
                        : http.fetchJson(origin(server) + RESOURCE_METADATA_PATH + path);
        return special != null ? special : http.fetchJson(origin(server) + RESOURCE_METADATA_PATH);
    }

    /** Whether a resource identifier is the server's or covers it. */
    private boolean coversServer(String resource) {
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

    private String chooseIssuer(List<String> named) throws SignInFailed {
        if (named.contains(requiredIssuer)) {
            return requiredIssuer;
        }
        if (!requiredIssuer.isEmpty()) {
            throw new SignInFailed(
                    "The server names another issuer than the configured one: "
                            + DisplayText.message(String.join(", ", named)),
                    true);
        }
        if (named.isEmpty()) {
            throw new SignInFailed("The server names no authorization server");
        }
        return named.contains(previousIssuer) ? previousIssuer : named.getFirst();
    }

    /** Fetches the metadata of an issuer, which must contain its name; null if there are none. */
    private @Nullable Json fetchIssuerMetadata(String issuer)
            throws SignInFailed, InterruptedException {
        String foreign = null;
        for (String place : metadataUrls(http.urlPolicy().requireAllowed(issuer).url())) {
            Json found = http.fetchJson(place);
            String name = found == null ? null : found.memberText("issuer");
            if (found != null && issuer.equals(name)) {
                return found;
            }
            foreign = found == null ? foreign : String.valueOf(name);
        }
        if (foreign != null) {
            throw new SignInFailed(
                    "The metadata of %s is of another issuer: %s"
                            .formatted(DisplayText.message(issuer), DisplayText.message(foreign)));
        }
        return null;
    }

    /** Where tokens of an issuer are revoked; null if it does not tell. */
    @Nullable URI revocationEndpoint(String issuer) throws SignInFailed, InterruptedException {
        Json metadata = fetchIssuerMetadata(issuer);
        String text = metadata == null ? null : metadata.memberText("revocation_endpoint");
        return text == null ? null : http.urlPolicy().requireAllowed(text).url();
    }

    private static List<String> metadataUrls(URI issuer) {
        String origin = origin(issuer);
        String path = path(issuer);
        return path.isEmpty()
                ? List.of(origin + OAUTH_METADATA_PATH, origin + OPENID_METADATA_PATH)
                : List.of(
                        origin + OAUTH_METADATA_PATH + path,
                        origin + OPENID_METADATA_PATH + path,
                        origin + path + OPENID_METADATA_PATH);
    }

    private AuthorizationMetadata toAuthorizationMetadata(
            String resource, Json metadata, List<String> scopes) throws SignInFailed {
        if (!stringElements(metadata.member("code_challenge_methods_supported")).contains("S256")) {
            throw new SignInFailed("The authorization server does not support PKCE with S256");
        }
        String registration = metadata.memberText("registration_endpoint");
        var endpoints =
                new Endpoints(
                        endpoint(metadata, "authorization_endpoint"),
                        endpoint(metadata, "token_endpoint"),
                        registration == null
                                ? null
                                : http.urlPolicy().requireAllowed(registration).url());
        var abilities =
                new Features(
                        stringElements(metadata.member("token_endpoint_auth_methods_supported")),
                        isTrue(metadata, "authorization_response_iss_parameter_supported"),
                        isTrue(metadata, "client_id_metadata_document_supported"),
                        stringElements(metadata.member("scopes_supported"))
                                .contains("offline_access"));
        String issuer = String.valueOf(metadata.memberText("issuer"));
        return new AuthorizationMetadata(resource, issuer, endpoints, abilities, scopes);
    }

    private URI endpoint(Json metadata, String name) throws SignInFailed {
        String text = metadata.memberText(name);
        if (text == null) {
            throw new SignInFailed("The authorization server publishes no " + name);
        }
        return http.urlPolicy().requireAllowed(text).url();
    }

    private static boolean isTrue(Json metadata, String name) {
        Json member = metadata.member(name);
        return member != null && member.isTrue();
    }

    /** For a server without metadata, which is its own authorization server. */
    private AuthorizationMetadata discoverWithoutResourceMetadata()
            throws SignInFailed, InterruptedException {
        String issuer = requiredIssuer.isEmpty() ? origin(server) : requiredIssuer;
        Json metadata = fetchIssuerMetadata(issuer);
        if (metadata != null) {
            return toAuthorizationMetadata(server.toString(), metadata, List.of());
        }
        if (!requiredIssuer.isEmpty()) {
            throw new SignInFailed("The configured issuer publishes no metadata");
        }
        var endpoints =
                new Endpoints(
                        http.urlPolicy().requireAllowed(issuer + "/authorize").url(),
                        http.urlPolicy().requireAllowed(issuer + "/token").url(),
                        http.urlPolicy().requireAllowed(issuer + "/register").url());
        var abilities = new Features(List.of(), false, false, false);
        return new AuthorizationMetadata(
                server.toString(), issuer, endpoints, abilities, List.of());
    }

    private static String origin(URI url) {
        String scheme = lower(url.getScheme());
        int usual = scheme.equals("https") ? 443 : 80;
        boolean plain = url.getPort() < 0 || url.getPort() == usual;
        return scheme + "://" + lower(url.getHost()) + (plain ? "" : ":" + url.getPort());
    }

    /** The path without a trailing slash; empty for the root. */
    private static String path(URI url) {
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }

    static List<String> stringElements(@Nullable Json array) {
        var texts = new ArrayList<String>();
        if (array != null && array.isArray()) {
            array.elements().stream().filter(Json::isString).map(Json::text).forEach(texts::add);
        }
        return texts;
    }
}

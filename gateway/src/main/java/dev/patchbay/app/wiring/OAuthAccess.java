package dev.patchbay.app.wiring;

import dev.patchbay.config.ListenAddress;
import dev.patchbay.config.OAuthSettings;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.TokenIssuer;
import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.ProtectedResource;
import dev.patchbay.http.server.TokenAuthenticator;
import dev.patchbay.oauth.resource.AccessTokenAuthenticator;
import dev.patchbay.oauth.resource.AccessTokenAuthenticator.Surroundings;
import dev.patchbay.oauth.resource.ClaimMapping;
import dev.patchbay.oauth.resource.ClaimMapping.GroupViews;
import dev.patchbay.oauth.resource.IssuerHttp;
import dev.patchbay.oauth.resource.TrustedIssuer;
import dev.patchbay.oauth.resource.TrustedIssuer.Introspection;
import dev.patchbay.server.SecretMissingException;
import dev.patchbay.server.SecretResolver;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds the verification of access tokens from the settings of {@code patchbay serve}. */
final class OAuthAccess {
    private static final String ENDPOINT = "/mcp";

    private final PatchbaySettings.Http settings;
    private final SecretResolver secrets;

    OAuthAccess(PatchbaySettings.Http settings, SecretResolver secrets) {
        this.settings = settings;
        this.secrets = secrets;
    }

    /** Accepts access tokens, besides the gateway's own tokens. */
    TokenAuthenticator authenticator(TokenAuthenticator ownTokens) {
        List<TrustedIssuer> issuers = settings.issuers().stream().map(this::trusted).toList();
        List<String> names = issuers.stream().map(TrustedIssuer::issuer).toList();
        return new AccessTokenAuthenticator(
                ownTokens,
                new ProtectedResource(baseUrl(), names, scopeNames()),
                issuers,
                new Surroundings(
                        IssuerHttp.overNetwork(), InstantSource.system(), Ticker.system()));
    }

    /** The URL of the gateway as clients see it. */
    private String baseUrl() {
        OAuthSettings oauth = settings.oauth();
        String configured = oauth == null ? null : oauth.publicUrl();
        if (configured != null) {
            return withoutSlash(configured);
        }
        for (TokenIssuer issuer : settings.issuers()) {
            for (String audience : issuer.audiences()) {
                if (isHttpUrl(audience)) {
                    String url = withoutSlash(audience);
                    return url.endsWith(ENDPOINT)
                            ? url.substring(0, url.length() - ENDPOINT.length())
                            : url;
                }
            }
        }
        ListenAddress listen = settings.listen();
        String host = listen.host().contains(":") ? "[" + listen.host() + "]" : listen.host();
        return "http://" + host + ":" + listen.port();
    }

    private static boolean isHttpUrl(String text) {
        try {
            var url = new URI(text);
            return url.getHost() != null
                    && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()));
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private TrustedIssuer trusted(TokenIssuer issuer) {
        String jwksUrl = issuer.jwksUrl();
        return new TrustedIssuer(
                issuer.issuer(),
                audiences(issuer),
                claims(issuer.claims()),
                jwksUrl == null ? null : URI.create(jwksUrl),
                introspection(issuer));
    }

    private Set<String> audiences(TokenIssuer issuer) {
        return issuer.audiences().isEmpty()
                ? Set.of(baseUrl() + ENDPOINT)
                : Set.copyOf(issuer.audiences());
    }

    private static ClaimMapping claims(TokenIssuer.Claims claims) {
        Map<String, AccessScope> scopes = new LinkedHashMap<>();
        claims.scopes().forEach((name, scope) -> scopes.put(name, scope(scope)));
        Set<AccessScope> always = new LinkedHashSet<>();
        claims.defaultScopes().forEach(scope -> always.add(scope(scope)));
        return new ClaimMapping(
                claims.principalClaim(),
                scopes.isEmpty() ? ClaimMapping.ownNames() : scopes,
                always,
                new GroupViews(claims.viewClaim(), claims.views()));
    }

    private static AccessScope scope(String text) {
        return AccessScope.of(text).orElseThrow();
    }

    private @Nullable Introspection introspection(TokenIssuer issuer) {
        if (issuer.introspection().names().isEmpty()) {
            return null;
        }
        try {
            Map<String, String> values = issuer.introspection().resolve(secrets).values();
            String url = values.get("url");
            return new Introspection(
                    url == null ? null : URI.create(url),
                    values.getOrDefault("clientId", ""),
                    values.getOrDefault("clientSecret", ""));
        } catch (SecretMissingException e) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "The introspection of "
                            + issuer.issuer()
                            + " needs a secret. "
                            + e.getMessage());
        }
    }

    /** The names of the scopes at the first authorization server. */
    private Map<AccessScope, String> scopeNames() {
        Map<AccessScope, String> names = new EnumMap<>(AccessScope.class);
        settings.issuers()
                .getFirst()
                .claims()
                .scopes()
                .forEach((name, scope) -> names.putIfAbsent(scope(scope), name));
        return names;
    }
}

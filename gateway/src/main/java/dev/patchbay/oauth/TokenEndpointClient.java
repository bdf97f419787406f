package dev.patchbay.oauth;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.json.Json;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Requests tokens for one server from its authorization server. */
final class TokenEndpointClient {
    /** Errors after which another request is useless. */
    private static final Set<String> PERMANENT_ERRORS =
            Set.of("invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope");

    private static final long LIFETIME_SECONDS_MAX = 10L * 365 * 24 * 3600;

    private final OAuthHttpClient http;
    private final URI url;
    private final String resource;
    private final ClientRegistration client;
    private final InstantSource clock;

    TokenEndpointClient(
            OAuthHttpClient web,
            URI url,
            String resource,
            ClientRegistration identity,
            InstantSource clock) {
        this.http = web;
        this.url = url;
        this.resource = resource;
        this.client = identity;
        this.clock = clock;
    }

    /** Exchanges an authorization code for tokens. */
    OAuthTokens exchangeCode(String code, String verifier, String redirectUri, String scope)
            throws SignInFailed, InterruptedException {
        var form = form("authorization_code");
        form.put("code", code);
        form.put("code_verifier", verifier);
        form.put("redirect_uri", redirectUri);
        return requestTokens(form, scope, "");
    }

    /** Renews tokens. The refresh token is kept unless a new one is issued. */
    OAuthTokens renew(OAuthTokens old) throws SignInFailed, InterruptedException {
        var form = form("refresh_token");
        form.put("refresh_token", old.refreshToken());
        return requestTokens(form, old.scope(), old.refreshToken());
    }

    /** Requests a token for the client itself. */
    OAuthTokens requestClientCredentialsTokens(String scope)
            throws SignInFailed, InterruptedException {
        var form = form("client_credentials");
        if (!scope.isEmpty()) {
            form.put("scope", scope);
        }
        return requestTokens(form, scope, "");
    }

    /** Exchanges a JWT in which somebody else vouches for the client or for a person (RFC 7523). */
    OAuthTokens exchangeAssertion(String assertion, String scope)
            throws SignInFailed, InterruptedException {
        var form = form("urn:ietf:params:oauth:grant-type:jwt-bearer");
        form.put("assertion", assertion);
        if (!scope.isEmpty()) {
            form.put("scope", scope);
        }
        return requestTokens(form, scope, "");
    }

    private Map<String, String> form(String grant) {
        var form = new LinkedHashMap<String, String>();
        form.put("grant_type", grant);
        form.put("resource", resource);
        return form;
    }

    private OAuthTokens requestTokens(Map<String, String> form, String scope, String refresh)
            throws SignInFailed, InterruptedException {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", "application/x-www-form-urlencoded");
        headers.put("Accept", "application/json");
        client.authenticate(form, headers);
        HttpFetcher.Response answer = http.post(url, headers, formEncode(form));
        Json given = OAuthHttpClient.parseObject(answer);
        if (answer.status() != 200 || given == null) {
            throw toFailure(url, answer.status(), given);
        }
        String access = given.memberText("access_token");
        String type = given.memberText("token_type");
        if (access == null || access.isEmpty() || !isHeaderText(access)) {
            throw new SignInFailed("The authorization server answered without a token");
        }
        if (type == null || !type.equalsIgnoreCase("bearer")) {
            throw new SignInFailed(
                    "The authorization server issued a token that is not a bearer token");
        }
        String renewal = given.memberText("refresh_token");
        String granted = given.memberText("scope");
        return new OAuthTokens(
                access,
                renewal == null ? refresh : renewal,
                granted == null ? scope : granted,
                expiryOf(given.member("expires_in")));
    }

    private long expiryOf(@Nullable Json seconds) {
        long life = seconds == null ? 0 : seconds.asLong(0);
        return life <= 0
                ? 0
                : clock.instant().getEpochSecond() + Math.min(life, LIFETIME_SECONDS_MAX);
    }

    private static boolean isHeaderText(String token) {
        return token.chars().allMatch(c -> c > 0x20 && c < 0x7f);
    }

    static String formEncode(Map<String, String> form) {
        return form.entrySet().stream()
                .map(
                        it ->
                                ClientRegistration.urlEncode(it.getKey())
                                        + "="
                                        + ClientRegistration.urlEncode(it.getValue()))
                .collect(Collectors.joining("&"));
    }

    static SignInFailed toFailure(URI url, int status, @Nullable Json answer) {
        String error = answer == null ? null : answer.memberText("error");
        String more = answer == null ? null : answer.memberText("error_description");
        String text =
                "%s issued no token: HTTP %d%s%s"
                        .formatted(
                                OAuthHttpClient.describe(url),
                                status,
                                error == null ? "" : ", " + DisplayText.message(error),
                                more == null ? "" : " (" + DisplayText.message(more) + ")");
        return new SignInFailed(text, error != null && PERMANENT_ERRORS.contains(error));
    }
}

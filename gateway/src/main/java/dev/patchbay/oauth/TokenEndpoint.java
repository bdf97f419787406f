package dev.patchbay.oauth;

import dev.patchbay.http.Fetch;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Asks an authorization server for tokens, for one server and no other. */
final class TokenEndpoint {
    /** With these it says that asking again is of no use. */
    private static final Set<String> REFUSALS =
            Set.of("invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope");

    private static final long LIFE_SECONDS_MAX = 10L * 365 * 24 * 3600;

    private final Web web;
    private final URI url;
    private final String resource;
    private final Identity identity;
    private final InstantSource clock;

    TokenEndpoint(Web web, URI url, String resource, Identity identity, InstantSource clock) {
        this.web = web;
        this.url = url;
        this.resource = resource;
        this.identity = identity;
        this.clock = clock;
    }

    /** Tokens for the code that a browser brought. */
    Tokens exchange(String code, String verifier, String redirectUri, String scope)
            throws SignInFailed, InterruptedException {
        var form = form("authorization_code");
        form.put("code", code);
        form.put("code_verifier", verifier);
        form.put("redirect_uri", redirectUri);
        return ask(form, scope, "");
    }

    /** New tokens for old ones. The right to renew stays as it was unless another one comes. */
    Tokens renew(Tokens old) throws SignInFailed, InterruptedException {
        var form = form("refresh_token");
        form.put("refresh_token", old.refresh());
        return ask(form, old.scope(), old.refresh());
    }

    /** A token for ourselves. */
    Tokens own(String scope) throws SignInFailed, InterruptedException {
        var form = form("client_credentials");
        if (!scope.isEmpty()) {
            form.put("scope", scope);
        }
        return ask(form, scope, "");
    }

    private Map<String, String> form(String grant) {
        var form = new LinkedHashMap<String, String>();
        form.put("grant_type", grant);
        form.put("resource", resource);
        return form;
    }

    private Tokens ask(Map<String, String> form, String scope, String refresh)
            throws SignInFailed, InterruptedException {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", "application/x-www-form-urlencoded");
        headers.put("Accept", "application/json");
        identity.sign(form, headers);
        Fetch.Answer answer = web.post(url, headers, encoded(form));
        Json given = Web.object(answer);
        if (answer.status() != 200 || given == null) {
            throw refused(answer.status(), given);
        }
        String access = given.memberText("access_token");
        String type = given.memberText("token_type");
        if (access == null || access.isEmpty() || !isHeaderText(access)) {
            throw new SignInFailed("The authorization server answered without a token");
        }
        if (type == null || !type.equalsIgnoreCase("bearer")) {
            throw new SignInFailed("The authorization server gave a token that is no bearer token");
        }
        String renewal = given.memberText("refresh_token");
        String granted = given.memberText("scope");
        return new Tokens(
                access,
                renewal == null ? refresh : renewal,
                granted == null ? scope : granted,
                expiry(given.member("expires_in")));
    }

    private long expiry(@Nullable Json seconds) {
        long life = seconds == null ? 0 : seconds.asLong(0);
        return life <= 0 ? 0 : clock.instant().getEpochSecond() + Math.min(life, LIFE_SECONDS_MAX);
    }

    private static boolean isHeaderText(String token) {
        return token.chars().allMatch(c -> c > 0x20 && c < 0x7f);
    }

    static String encoded(Map<String, String> form) {
        return form.entrySet().stream()
                .map(it -> Identity.encoded(it.getKey()) + "=" + Identity.encoded(it.getValue()))
                .collect(Collectors.joining("&"));
    }

    private SignInFailed refused(int status, @Nullable Json answer) {
        String error = answer == null ? null : answer.memberText("error");
        String more = answer == null ? null : answer.memberText("error_description");
        String text =
                "%s gave no token: HTTP %d%s%s"
                        .formatted(
                                Web.host(url),
                                status,
                                error == null ? "" : ", " + Shown.of(error),
                                more == null ? "" : " (" + Shown.of(more) + ")");
        return new SignInFailed(text, error != null && REFUSALS.contains(error));
    }
}

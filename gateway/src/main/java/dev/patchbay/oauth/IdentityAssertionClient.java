package dev.patchbay.oauth;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.json.Json;
import dev.patchbay.server.OAuthConfig.Grant;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Exchanges an ID token at the identity provider of a company for an assertion that the
 * authorization server of a server accepts (RFC 8693, identity assertion authorization grant).
 */
final class IdentityAssertionClient {
    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
    private static final String ASSERTION = "urn:ietf:params:oauth:token-type:id-jag";

    private IdentityAssertionClient() {}

    /** Requests an assertion for the resource and the authorization server. */
    static String request(Grant.IdentityAssertion grant, AuthorizationMetadata terms, String scope)
            throws SignInFailed, InterruptedException {
        var form = new LinkedHashMap<String, String>();
        form.put("grant_type", EXCHANGE);
        form.put("requested_token_type", ASSERTION);
        form.put("audience", terms.issuer());
        form.put("resource", terms.resource());
        if (!scope.isEmpty()) {
            form.put("scope", scope);
        }
        form.put("subject_token", ClientAssertion.readFile(grant.idTokenFile()));
        form.put("subject_token_type", ID_TOKEN);
        if (!grant.clientId().isEmpty()) {
            form.put("client_id", grant.clientId());
        }
        var headers =
                Map.of(
                        "Content-Type",
                        "application/x-www-form-urlencoded",
                        "Accept",
                        "application/json");
        // The identity provider is configured by the user, not named by the server.
        var web = new OAuthHttpClient(UrlPolicy.forServer(URI.create(grant.tokenUrl())));
        HttpFetcher.Response answer =
                web.postToServer(headers, TokenEndpointClient.formEncode(form));
        Json given = OAuthHttpClient.parseObject(answer);
        String assertion = given == null ? null : given.memberText("access_token");
        if (answer.status() != 200 || given == null || assertion == null) {
            throw TokenEndpointClient.toFailure(
                    URI.create(grant.tokenUrl()), answer.status(), given);
        }
        if (!ASSERTION.equals(given.memberText("issued_token_type"))) {
            throw new SignInFailed("The identity provider issued a token of another type", true);
        }
        return assertion;
    }
}

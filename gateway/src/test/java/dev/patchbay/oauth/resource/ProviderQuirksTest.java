package dev.patchbay.oauth.resource;

import static dev.patchbay.oauth.resource.FakeIssuer.RSA;
import static dev.patchbay.oauth.resource.FakeIssuer.reason;
import static dev.patchbay.oauth.resource.FakeIssuer.seconds;
import static dev.patchbay.oauth.resource.FakeIssuer.sign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.Principal;
import dev.patchbay.http.server.TokenVerdict;
import dev.patchbay.oauth.resource.ClaimMapping.GroupViews;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The ways in which the tokens of known identity providers differ. */
class ProviderQuirksTest {
    private static final String PLAIN =
            "{\"alg\": \"RS256\", \"kid\": \"rsa-1\", \"typ\": \"JWT\"}";

    private final FakeIssuer issuer = new FakeIssuer();

    private TokenVerdict verify(TrustedIssuer trusted, String claims) throws InterruptedException {
        String text = claims.replace("EXP", "" + seconds(600)).replace("ISS", trusted.issuer());
        return issuer.authenticator(trusted).verify(sign(RSA, PLAIN, text));
    }

    private static Principal principal(TokenVerdict verdict) {
        assertThat(verdict).as(reason(verdict)).isInstanceOf(TokenVerdict.Accepted.class);
        return ((TokenVerdict.Accepted) verdict).principal();
    }

    private static ClaimMapping scopes(String name, AccessScope scope) {
        return new ClaimMapping("sub", Map.of(name, scope), Set.of(), GroupViews.NONE);
    }

    /** Entra: no RFC 8414, scp as text, aud is an application id, sub differs by application. */
    @Test
    void entraDelegatedToken() throws InterruptedException {
        String name = "https://idp.test/7f2c/v2.0";
        issuer.publish(name, "/7f2c/v2.0/.well-known/openid-configuration");
        var mapping =
                new ClaimMapping(
                        "oid", Map.of("tools.use", AccessScope.MCP), Set.of(), GroupViews.NONE);
        String claims =
                "{\"iss\": \"ISS\", \"aud\": \"9a1b\", \"exp\": EXP, \"scp\": \"User.Read"
                        + " tools.use\", \"sub\": \"pairwise\", \"oid\": \"object-1\"}";
        Principal found = principal(verify(FakeIssuer.trusted(name, "9a1b", mapping), claims));
        assertThat(found).isEqualTo(new Principal(name + "#object-1", Set.of(AccessScope.MCP)));
    }

    /** Entra: a program has roles instead of scopes; they count only if they are mapped. */
    @Test
    void entraApplicationToken() throws InterruptedException {
        String claims =
                "{\"iss\": \"https://idp.test\", \"aud\": \"api://gw\", \"exp\": EXP, \"sub\":"
                        + " \"app\", \"roles\": [\"Tools.Call\", \"admin\"]}";
        var mapped =
                FakeIssuer.trusted(
                        FakeIssuer.ISSUER, "api://gw", scopes("Tools.Call", AccessScope.MCP));
        assertThat(principal(verify(mapped, claims)).scopes()).containsOnly(AccessScope.MCP);
        var plain = FakeIssuer.trusted(FakeIssuer.ISSUER, "api://gw", ClaimMapping.DEFAULTS);
        assertThat(principal(verify(plain, claims)).scopes()).isEmpty();
    }

    /** Entra: a person with more groups than fit has a reference in place of them. */
    @Test
    void entraGroupOverage() throws InterruptedException {
        var views = new GroupViews("groups", Map.of("eng", "work"));
        var mapping = new ClaimMapping("sub", ClaimMapping.ownNames(), Set.of(), views);
        String claims =
                FakeIssuer.claims("\"sub\"", "\"_claim_names\": {\"groups\": \"src1\"}, \"sub\"");
        var trusted = FakeIssuer.trusted(FakeIssuer.ISSUER, FakeIssuer.AUDIENCE, mapping);
        TokenVerdict verdict = verify(trusted, claims);
        assertThat(verdict).isInstanceOf(TokenVerdict.Forbidden.class);
        assertThat(reason(verdict)).contains("too many");
    }

    /** Okta: scp is an array, aud is that of the authorization server, which has a path. */
    @Test
    void oktaCustomAuthorizationServer() throws InterruptedException {
        String name = "https://idp.test/oauth2/default";
        issuer.publish(name, "/.well-known/oauth-authorization-server/oauth2/default");
        String claims =
                "{\"iss\": \"ISS\", \"aud\": \"api://default\", \"exp\": EXP, \"cid\": \"0oa\","
                        + " \"scp\": [\"mcp\", \"openid\"], \"sub\": \"kim@example.com\"}";
        var trusted = FakeIssuer.trusted(name, "api://default", ClaimMapping.DEFAULTS);
        assertThat(principal(verify(trusted, claims)))
                .isEqualTo(new Principal(name + "#kim@example.com", Set.of(AccessScope.MCP)));
    }

    /** Auth0: the issuer ends with a slash, aud is a list, rights are in permissions. */
    @Test
    void auth0Token() throws InterruptedException {
        String name = "https://idp.test/";
        issuer.publish(name, "/.well-known/openid-configuration");
        String claims =
                "{\"iss\": \"%s\", \"aud\": [\"https://mcp.test/mcp\","
                        + " \"https://idp.test/userinfo\"], \"exp\": EXP, \"sub\": \"auth0|5f\","
                        + " \"scope\": \"openid profile\", \"permissions\": [\"tools:use\"]}";
        var trusted =
                FakeIssuer.trusted(name, FakeIssuer.AUDIENCE, scopes("tools:use", AccessScope.MCP));
        assertThat(principal(verify(trusted, claims.formatted(name))).scopes())
                .containsOnly(AccessScope.MCP);
        var withoutSlash =
                FakeIssuer.trusted("https://idp.test", FakeIssuer.AUDIENCE, ClaimMapping.DEFAULTS);
        assertThat(reason(verify(withoutSlash, claims.formatted(name))))
                .contains("issuer that is not trusted");
    }

    /** authentik: aud is the client id, no RFC 8414, groups by name, no scope of its own. */
    @Test
    void authentikToken() throws InterruptedException {
        String name = "https://idp.test/application/o/gateway/";
        issuer.publish(name, "/application/o/gateway/.well-known/openid-configuration");
        var views = new LinkedHashMap<String, String>();
        views.put("ops", "*");
        views.put("eng", "work");
        var mapping =
                new ClaimMapping(
                        "sub",
                        ClaimMapping.ownNames(),
                        Set.of(AccessScope.MCP),
                        new GroupViews("groups", views));
        var trusted = FakeIssuer.trusted(name, "client-7", mapping);
        String claims =
                "{\"iss\": \"%s\", \"aud\": \"client-7\", \"exp\": EXP, \"sub\": \"h4sh\","
                        + " \"scope\": \"openid admin\", \"groups\": [%s]}";
        Principal engineer = principal(verify(trusted, claims.formatted(name, "\"eng\"")));
        assertThat(engineer)
                .isEqualTo(new Principal(name + "#h4sh", Set.of(AccessScope.MCP), "work"));
        Principal operator = principal(verify(trusted, claims.formatted(name, "\"eng\", \"ops\"")));
        assertThat(operator.view()).isNull();
        assertThat(operator.scopes()).contains(AccessScope.ADMIN);
        assertThat(verify(trusted, claims.formatted(name, "\"guests\"")))
                .isInstanceOf(TokenVerdict.Forbidden.class);
    }
}

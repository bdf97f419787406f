package dev.patchbay.oauth.resource;

import static dev.patchbay.oauth.resource.FakeIssuer.AUDIENCE;
import static dev.patchbay.oauth.resource.FakeIssuer.ISSUER;
import static dev.patchbay.oauth.resource.FakeIssuer.reason;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.server.TokenVerdict;
import dev.patchbay.oauth.resource.TrustedIssuer.Introspection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/** Tokens that are not JWTs. */
class IntrospectionTest {
    private static final String URL = "https://idp.test/introspect";
    private static final String GOOD =
            "{\"active\": true, \"aud\": \""
                    + AUDIENCE
                    + "\", \"sub\": \"kim\", \"scope\": \"mcp\"";

    private final FakeIssuer issuer = new FakeIssuer();
    private final AccessTokenAuthenticator authenticator =
            issuer.authenticator(
                    new TrustedIssuer(
                            ISSUER,
                            Set.of(AUDIENCE),
                            ClaimMapping.DEFAULTS,
                            null,
                            new Introspection(URI.create(URL), "gw", "s:ecret")));

    @Test
    void asksOnceAMinute() throws InterruptedException {
        issuer.pages.put(URL, GOOD + "}");
        assertThat(reason(authenticator.verify("opaque+1")))
                .isEqualTo("accepted " + ISSUER + "#kim");
        assertThat(issuer.bodies).containsExactly("token=opaque%2B1&token_type_hint=access_token");
        issuer.ticker.advance(Duration.ofSeconds(59));
        assertThat(authenticator.authenticate("opaque+1")).isNotNull();
        assertThat(authenticator.verify("opaque+1")).isInstanceOf(TokenVerdict.Accepted.class);
        assertThat(issuer.requests).hasSize(1);
        issuer.ticker.advance(Duration.ofSeconds(2));
        assertThat(authenticator.authenticate("opaque+1")).isNull();
        issuer.pages.put(URL, "{\"active\": false}");
        assertThat(authenticator.verify("opaque+1")).isInstanceOf(TokenVerdict.Invalid.class);
    }

    @Test
    void remembersRefusalForShortTime() throws InterruptedException {
        issuer.pages.put(URL, "{\"active\": false}");
        for (int i = 0; i < 3; i++) {
            assertThat(authenticator.verify("opaque")).isInstanceOf(TokenVerdict.Invalid.class);
        }
        assertThat(issuer.requests).hasSize(1);
        issuer.ticker.advance(AccessTokenVerifier.REFUSAL_AGE_MAX);
        issuer.pages.put(URL, GOOD + "}");
        assertThat(authenticator.verify("opaque")).isInstanceOf(TokenVerdict.Accepted.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"active\": \"true\"}|unknown, expired or revoked",
                "{\"active\": true, \"sub\": \"kim\"}|another audience",
                "{\"active\": true, \"aud\": \"x\", \"sub\": \"kim\"}|another audience",
                "{\"active\": true, \"iss\": \"https://evil.test\"}|not trusted",
                "{\"active\": true, \"aud\": \"https://mcp.test/mcp\", \"exp\": 1}|has expired"
            })
    void refusesWhatIssuerDoesNotVouchFor(String answer, String why) throws InterruptedException {
        issuer.pages.put(URL, answer);
        assertThat(reason(authenticator.verify("opaque"))).contains(why);
    }

    @Test
    void outageIsNotRefusal() throws InterruptedException {
        issuer.isDown = true;
        assertThat(authenticator.verify("opaque")).isInstanceOf(TokenVerdict.Unavailable.class);
        issuer.isDown = false;
        issuer.pages.put(URL, GOOD + "}");
        assertThat(authenticator.verify("opaque")).isInstanceOf(TokenVerdict.Accepted.class);
    }

    @Test
    void ownTokensAreNeverSent() throws InterruptedException {
        assertThat(reason(authenticator.verify("pb_revoked"))).isEqualTo("The token is unknown");
        assertThat(issuer.requests).isEmpty();
    }

    @Test
    void cacheIsBounded() {
        var cache = new VerdictCache(2);
        var verdict = new TokenVerdict.Invalid("no");
        for (String token : new String[] {"a", "b", "c"}) {
            cache.put(token, verdict, FakeIssuer.START.plusSeconds(1));
        }
        assertThat(cache.size()).isEqualTo(2);
        assertThat(cache.find("a", FakeIssuer.START)).isNull();
        assertThat(cache.find("c", FakeIssuer.START)).isEqualTo(verdict);
    }
}

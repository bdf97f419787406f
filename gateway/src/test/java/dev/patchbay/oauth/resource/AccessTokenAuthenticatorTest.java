package dev.patchbay.oauth.resource;

import static dev.patchbay.oauth.resource.FakeIssuer.AUDIENCE;
import static dev.patchbay.oauth.resource.FakeIssuer.ISSUER;
import static dev.patchbay.oauth.resource.FakeIssuer.base64;
import static dev.patchbay.oauth.resource.FakeIssuer.claims;
import static dev.patchbay.oauth.resource.FakeIssuer.reason;
import static dev.patchbay.oauth.resource.FakeIssuer.seconds;
import static dev.patchbay.oauth.resource.FakeIssuer.sign;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;

import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.Principal;
import dev.patchbay.http.server.TokenVerdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Which access tokens are accepted, and why others are not. */
class AccessTokenAuthenticatorTest {
    private static final String HEADER = "{\"alg\": \"RS256\", \"kid\": \"rsa-1\"%s}";

    private final FakeIssuer issuer = new FakeIssuer();
    private final AccessTokenAuthenticator authenticator = issuer.authenticator();

    private TokenVerdict verify(String token) throws InterruptedException {
        return authenticator.verify(token);
    }

    @Test
    void acceptsTokenAndRemembersIt() throws InterruptedException {
        String token = sign(claims());
        assertThat(authenticator.authenticate(token)).isNull();
        var alice = new Principal(ISSUER + "#alice", Set.of(AccessScope.MCP));
        assertThat(verify(token)).isEqualTo(new TokenVerdict.Accepted(alice));
        assertThat(authenticator.authenticate(token)).isEqualTo(alice);
        assertThat(authenticator.currentPrincipals().test(alice)).isTrue();
    }

    @Test
    void forgetsTokenWhenItExpires() throws InterruptedException {
        String token = sign(claims());
        assertThat(verify(token)).isInstanceOf(TokenVerdict.Accepted.class);
        issuer.ticker.advance(Duration.ofMinutes(11));
        assertThat(authenticator.authenticate(token)).isNull();
        assertThat(reason(verify(token))).isEqualTo("The token has expired");
    }

    @Test
    void openStreamsEndAWhileAfterTheLastTokenExpired() throws InterruptedException {
        var alice = new Principal(ISSUER + "#alice", Set.of(AccessScope.MCP));
        assertThat(verify(sign(claims()))).isEqualTo(new TokenVerdict.Accepted(alice));
        issuer.ticker.advance(Duration.ofMinutes(60));
        assertThat(authenticator.currentPrincipals().test(alice)).isTrue();
        issuer.ticker.advance(Duration.ofMinutes(12));
        assertThat(authenticator.currentPrincipals().test(alice)).isFalse();
    }

    @Test
    void verifiesSignatureAgainAfterFewMinutes() throws InterruptedException {
        String token = sign(claims());
        assertThat(verify(token)).isInstanceOf(TokenVerdict.Accepted.class);
        issuer.keys(FakeIssuer.OTHER_RSA.toPublicJWK());
        issuer.ticker.advance(Duration.ofMinutes(4));
        assertThat(authenticator.authenticate(token)).isNotNull();
        issuer.ticker.advance(Duration.ofMinutes(2));
        assertThat(authenticator.authenticate(token)).isNull();
    }

    static Stream<Arguments> wrongClaims() {
        return Stream.of(
                rejected("issuer that is not trusted", ISSUER, ISSUER + "/"),
                rejected("not well-formed", "\"iss\"", "\"issuer\""),
                rejected("another audience", AUDIENCE, AUDIENCE + "/"),
                rejected("another audience", AUDIENCE, "https://mcp.test/mcp2"),
                rejected("another audience", "\"" + AUDIENCE + "\"", "[\"" + ISSUER + "\"]"),
                rejected("another audience", "\"aud\"", "\"audience\""),
                rejected("has expired", "" + seconds(600), "" + seconds(-60)),
                rejected("no time of expiry", "\"exp\"", "\"expiry\""),
                rejected("invalid time", "" + seconds(600), "\"never\""),
                rejected("invalid time", "" + seconds(600), "1e999"),
                rejected("not valid yet", "\"sub\"", "\"nbf\": " + seconds(61) + ", \"sub\""),
                rejected("not valid yet", "\"sub\"", "\"nbf\": \"x\", \"sub\""),
                rejected("bound to a key", "\"sub\"", "\"cnf\": {\"jkt\": \"x\"}, \"sub\""),
                rejected("no usable claim", "\"sub\"", "\"subject\""),
                rejected("no usable claim", "\"alice\"", "\"\""),
                rejected("no usable claim", "\"alice\"", "\"a\\u202eb\""),
                rejected("no usable claim", "\"alice\"", "[\"alice\"]"),
                rejected("not well-formed", "\"sub\"", "\"sub\": \"bob\", \"sub\""),
                rejected("not well-formed", "\"sub\"", "\"\\u0073ub\": \"bob\", \"sub\""),
                rejected("not well-formed", "}", ""));
    }

    private static Arguments rejected(String reason, String from, String to) {
        return Arguments.of(reason, claims(from, to));
    }

    @ParameterizedTest
    @MethodSource("wrongClaims")
    void rejectsTokenWithWrongClaims(String reason, String claims) throws InterruptedException {
        TokenVerdict verdict = verify(sign(claims));
        assertThat(verdict).isInstanceOf(TokenVerdict.Invalid.class);
        assertThat(reason(verdict)).contains(reason);
    }

    @Test
    void allowsForClocksThatDiffer() throws InterruptedException {
        String late = claims("" + seconds(600), "" + seconds(-59));
        String early = claims("\"sub\"", "\"nbf\": " + seconds(60) + ", \"sub\"");
        String fraction = claims("" + seconds(600), seconds(600) + ".5");
        for (String claims : new String[] {late, early, fraction}) {
            assertThat(verify(sign(claims))).isInstanceOf(TokenVerdict.Accepted.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"x\", \"https://mcp.test/mcp\"]",
                "\"https://mcp.test/mcp\"",
                "\"https://mcp.test/mcp/views/work\""
            })
    void acceptsAudienceInAllForms(String audience) throws InterruptedException {
        assertThat(verify(sign(claims("\"" + AUDIENCE + "\"", audience))))
                .isInstanceOf(TokenVerdict.Accepted.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ", \"typ\": \"dpop+jwt\"",
                ", \"typ\": 1",
                ", \"cty\": \"JWT\"",
                ", \"crit\": [\"exp\"]",
                ", \"crit\": []"
            })
    void rejectsJwtThatIsNoAccessToken(String member) throws InterruptedException {
        String token = sign(FakeIssuer.RSA, HEADER.formatted(member), claims());
        assertThat(reason(verify(token))).isEqualTo("The token is not a plain access token");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ", \"typ\": \"JWT\"", ", \"typ\": \"application/at+jwt\"", ", \"x\": 1"})
    void acceptsUsualHeaders(String member) throws InterruptedException {
        assertThat(verify(sign(FakeIssuer.RSA, HEADER.formatted(member), claims())))
                .isInstanceOf(TokenVerdict.Accepted.class);
    }

    @Test
    void rejectsTokenWithoutSignature() throws InterruptedException {
        for (String name : new String[] {"none", "None", "RS256"}) {
            String header = base64("{\"alg\": \"" + name + "\"}");
            assertThat(verify(header + "." + base64(claims()) + "."))
                    .isInstanceOf(TokenVerdict.Invalid.class);
        }
    }

    /** The public key as the secret of an HMAC: whoever knows the key could forge tokens. */
    @Test
    void rejectsHmacWithPublicKey() throws InterruptedException, GeneralSecurityException {
        String signed = base64("{\"alg\": \"HS256\", \"kid\": \"rsa-1\"}") + "." + base64(claims());
        Mac mac = Mac.getInstance("HmacSHA256");
        byte[] key = FakeIssuer.RSA.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        String tag = base64(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        assertThat(reason(verify(signed + "." + tag)))
                .isEqualTo(
                        "The signature algorithm of the token is HS256; RS256, ES256 and EdDSA are"
                                + " accepted");
    }

    @Test
    void rejectsKeyOfAnotherKindThanAlgorithm() throws InterruptedException {
        String header = "{\"alg\": \"RS256\", \"kid\": \"ec-1\"}";
        assertThat(reason(verify(sign(FakeIssuer.EC, header, claims()))))
                .isEqualTo("The token is signed with an unknown key");
    }

    @Test
    void rejectsChangedClaims() throws InterruptedException {
        String token = sign(claims());
        String[] parts = token.split("\\.", -1);
        String other = base64(claims("alice", "admin"));
        assertThat(reason(verify(parts[0] + "." + other + "." + parts[2])))
                .isEqualTo("The signature of the token is wrong");
    }

    @Test
    void acceptsEllipticCurveKeyAndTokenWithoutKeyId() throws InterruptedException {
        String named = sign(FakeIssuer.EC, "{\"alg\": \"ES256\", \"kid\": \"ec-1\"}", claims());
        String unnamed = sign(FakeIssuer.EC, "{\"alg\": \"ES256\"}", claims());
        assertThat(verify(named)).isInstanceOf(TokenVerdict.Accepted.class);
        assertThat(verify(unnamed)).isInstanceOf(TokenVerdict.Accepted.class);
    }

    @Test
    void acceptsEdwardsCurveKey() throws InterruptedException, GeneralSecurityException {
        var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
        issuer.keys(new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(raw)).build());
        String signed = base64("{\"alg\": \"EdDSA\"}") + "." + base64(claims());
        Signature signer = Signature.getInstance("Ed25519");
        signer.initSign(pair.getPrivate());
        signer.update(signed.getBytes(StandardCharsets.US_ASCII));
        String token = signed + "." + base64(signer.sign());
        assertThat(verify(token)).isInstanceOf(TokenVerdict.Accepted.class);
        assertThat(verify(signed + "." + base64(new byte[64])))
                .isInstanceOf(TokenVerdict.Invalid.class);
        assertThat(verify(signed + "." + base64(new byte[3])))
                .isInstanceOf(TokenVerdict.Invalid.class);
    }

    @Test
    void rejectsOddForms() throws InterruptedException {
        String token = sign(claims());
        String nested = base64("{\"alg\": \"RS256\"}") + "." + base64(token) + ".x";
        assertThat(reason(verify(nested))).contains("not well-formed");
        assertThat(reason(verify(token + "="))).contains("not well-formed");
        assertThat(reason(verify("e.e.e"))).contains("not well-formed");
        assertThat(reason(verify("eyJ.a.b.c.d"))).contains("encrypted");
        assertThat(reason(verify("opaque"))).isEqualTo("The token is unknown");
        assertThat(reason(verify("e" + "x".repeat(13_000)))).contains("too long");
        assertThat(issuer.requests).isEmpty();
    }

    @Test
    void ownTokensKeepWorking() {
        assertThat(authenticator.authenticate("pb_bot").name()).isEqualTo("bot");
        assertThat(authenticator.authenticate("pb_other")).isNull();
        assertThat(authenticator.authenticate(null)).isNull();
    }
}

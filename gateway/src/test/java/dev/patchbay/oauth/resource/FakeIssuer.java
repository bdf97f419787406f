package dev.patchbay.oauth.resource;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.Principal;
import dev.patchbay.http.server.ProtectedResource;
import dev.patchbay.http.server.TokenAuthenticator;
import dev.patchbay.http.server.TokenVerdict;
import dev.patchbay.json.Json;
import dev.patchbay.time.FakeTicker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** An authorization server in memory, with a clock that a test sets. It signs any claims. */
final class FakeIssuer implements IssuerHttp {
    static final String ISSUER = "https://idp.test";
    static final String AUDIENCE = "https://mcp.test/mcp";
    static final Instant START = Instant.parse("2026-11-18T12:00:00Z");

    /** Generated once: keys take long. */
    static final RSAKey RSA = newRsaKey("rsa-1");

    static final RSAKey OTHER_RSA = newRsaKey("rsa-2");
    static final ECKey EC = newEcKey("ec-1");

    final FakeTicker ticker = new FakeTicker();
    final List<String> requests = new CopyOnWriteArrayList<>();
    final List<String> bodies = new CopyOnWriteArrayList<>();
    final Map<String, String> pages = new ConcurrentHashMap<>();
    volatile boolean isDown;

    FakeIssuer() {
        publish(ISSUER, "/.well-known/openid-configuration");
        keys(RSA.toPublicJWK(), EC.toPublicJWK());
    }

    private static RSAKey newRsaKey(String id) {
        try {
            return new RSAKeyGenerator(2_048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static ECKey newEcKey(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** Publishes metadata for an issuer at a path of the host. */
    void publish(String issuer, String path) {
        pages.put(
                "https://idp.test" + path,
                "{\"issuer\": \"%s\", \"jwks_uri\": \"https://idp.test/keys\"}".formatted(issuer));
    }

    void keys(JWK... keys) {
        var texts = new ArrayList<String>();
        for (JWK key : keys) {
            texts.add(key.toJSONString());
        }
        pages.put("https://idp.test/keys", "{\"keys\": [" + String.join(", ", texts) + "]}");
    }

    @Override
    public Json send(HttpFetcher.Request request) throws IOException {
        requests.add(request.url().toString());
        bodies.add(request.body());
        String page = pages.get(request.url().toString());
        if (isDown || page == null) {
            throw new IOException(isDown ? "no connection" : "the response was HTTP 404");
        }
        return Json.of(page);
    }

    int keyFetches() {
        return (int) requests.stream().filter("https://idp.test/keys"::equals).count();
    }

    Instant now() {
        return START.plusNanos(ticker.nanoTime());
    }

    /** The seconds of a time that is so far from the start. */
    static long seconds(long fromStart) {
        return START.getEpochSecond() + fromStart;
    }

    static TrustedIssuer trusted(String issuer, String audience, ClaimMapping claims) {
        return new TrustedIssuer(issuer, Set.of(audience), claims, null, null);
    }

    AccessTokenAuthenticator authenticator(TrustedIssuer... issuers) {
        List<TrustedIssuer> trusted =
                issuers.length == 0
                        ? List.of(trusted(ISSUER, AUDIENCE, ClaimMapping.DEFAULTS))
                        : List.of(issuers);
        var resource =
                new ProtectedResource(
                        "https://mcp.test",
                        trusted.stream().map(TrustedIssuer::issuer).toList(),
                        Map.of());
        return new AccessTokenAuthenticator(
                named(),
                resource,
                trusted,
                new AccessTokenAuthenticator.Surroundings(this, this::now, ticker));
    }

    private static TokenAuthenticator named() {
        var bot = new Principal("bot", Set.of(AccessScope.MCP));
        return new TokenAuthenticator() {
            @Override
            public Principal authenticate(String token) {
                return "pb_bot".equals(token) ? bot : null;
            }

            @Override
            public Predicate<Principal> currentPrincipals() {
                return bot::equals;
            }
        };
    }

    /** Good claims, in which a test replaces some. */
    static String claims(String... replacements) {
        String text =
                "{\"iss\": \"%s\", \"aud\": \"%s\", \"sub\": \"alice\", \"exp\": %d, \"scope\":"
                                .formatted(ISSUER, AUDIENCE, seconds(600))
                        + " \"mcp\"}";
        for (int i = 0; i < replacements.length; i += 2) {
            if (!text.contains(replacements[i])) {
                throw new AssertionError(replacements[i]);
            }
            text = text.replace(replacements[i], replacements[i + 1]);
        }
        return text;
    }

    static String sign(String claims) {
        return sign(RSA, "{\"alg\": \"RS256\", \"kid\": \"rsa-1\", \"typ\": \"at+jwt\"}", claims);
    }

    /** Signs any header and claims. */
    static String sign(JWK key, String header, String claims) {
        String signed = base64(header) + "." + base64(claims);
        try {
            boolean isRsa = key instanceof RSAKey;
            JWSSigner signer =
                    isRsa ? new RSASSASigner(key.toRSAKey()) : new ECDSASigner(key.toECKey());
            var algorithm = isRsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
            return signed
                    + "."
                    + signer.sign(
                            new JWSHeader(algorithm), signed.getBytes(StandardCharsets.US_ASCII));
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static String reason(TokenVerdict verdict) {
        return switch (verdict) {
            case TokenVerdict.Accepted(Principal principal) -> "accepted " + principal.name();
            case TokenVerdict.Invalid(String reason) -> reason;
            case TokenVerdict.Forbidden(String reason) -> reason;
            case TokenVerdict.Unavailable(String reason) -> reason;
        };
    }
}

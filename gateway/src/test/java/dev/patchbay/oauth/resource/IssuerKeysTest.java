package dev.patchbay.oauth.resource;

import static dev.patchbay.oauth.resource.FakeIssuer.claims;
import static dev.patchbay.oauth.resource.FakeIssuer.reason;
import static dev.patchbay.oauth.resource.FakeIssuer.sign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.server.TokenVerdict;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Rotation of keys, and what holds while they cannot be fetched. */
class IssuerKeysTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String NEW_KEY = "{\"alg\": \"RS256\", \"kid\": \"rsa-2\"}";

    private final FakeIssuer issuer = new FakeIssuer();
    private final AccessTokenAuthenticator authenticator = issuer.authenticator();
    private int tokens;

    /** Verifies a token that was not seen before, so that no cache answers. */
    private TokenVerdict verifyNew(String header) throws InterruptedException {
        tokens++;
        String exp = "" + FakeIssuer.seconds(600);
        String later = "" + FakeIssuer.seconds(200_000);
        String claims = claims("alice", "user-" + tokens, exp, later);
        var key = header.contains("rsa-2") ? FakeIssuer.OTHER_RSA : FakeIssuer.RSA;
        return authenticator.verify(sign(key, header, claims));
    }

    private TokenVerdict verifyOld() throws InterruptedException {
        return verifyNew("{\"alg\": \"RS256\", \"kid\": \"rsa-1\"}");
    }

    @Test
    void fetchesKeysOnce() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            assertThat(verifyOld()).isInstanceOf(TokenVerdict.Accepted.class);
        }
        assertThat(issuer.keyFetches()).isEqualTo(1);
    }

    @Test
    void fetchesRotatedKeysAtBoundedRate() throws InterruptedException {
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Accepted.class);
        assertThat(reason(verifyNew(NEW_KEY))).isEqualTo("The token is signed with an unknown key");
        assertThat(issuer.keyFetches()).isEqualTo(1);
        issuer.ticker.advance(IssuerKeys.REFETCH_INTERVAL.plusSeconds(1));
        issuer.keys(FakeIssuer.OTHER_RSA.toPublicJWK());
        assertThat(verifyNew(NEW_KEY)).isInstanceOf(TokenVerdict.Accepted.class);
        assertThat(issuer.keyFetches()).isEqualTo(2);
        for (int i = 0; i < 20; i++) {
            assertThat(verifyOld()).isInstanceOf(TokenVerdict.Invalid.class);
        }
        assertThat(issuer.keyFetches()).isEqualTo(2);
    }

    @Test
    void knownKeysStayInUseWhileIssuerIsDown() throws InterruptedException {
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Accepted.class);
        issuer.isDown = true;
        issuer.ticker.advance(Duration.ofHours(23));
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Accepted.class);
        issuer.ticker.advance(Duration.ofHours(2));
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Unavailable.class);
        issuer.isDown = false;
        issuer.ticker.advance(IssuerKeys.RETRY_INTERVAL.plusSeconds(1));
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Accepted.class);
    }

    @Test
    void unknownKeyIsNotRefusedWhileIssuerIsDown() throws InterruptedException {
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Accepted.class);
        issuer.isDown = true;
        issuer.ticker.advance(IssuerKeys.REFETCH_INTERVAL.plusSeconds(1));
        assertThat(verifyNew(NEW_KEY)).isInstanceOf(TokenVerdict.Unavailable.class);
        assertThat(verifyNew(NEW_KEY)).isInstanceOf(TokenVerdict.Unavailable.class);
        assertThat(issuer.requests).hasSize(4); // two for the keys, two tries to find metadata
    }

    @Test
    void firstTokenWaitsForIssuer() throws InterruptedException {
        issuer.isDown = true;
        assertThat(reason(verifyOld())).contains("cannot be fetched at the moment");
        issuer.isDown = false;
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Unavailable.class);
        issuer.ticker.advance(IssuerKeys.RETRY_INTERVAL.plusSeconds(1));
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Accepted.class);
    }

    @Test
    void removedKeyStopsToWorkAfterRefresh() throws InterruptedException {
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Accepted.class);
        issuer.keys(FakeIssuer.OTHER_RSA.toPublicJWK());
        issuer.ticker.advance(IssuerKeys.REFRESH_AGE.plusSeconds(1));
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (verifyOld() instanceof TokenVerdict.Accepted) {
            assertThat(System.nanoTime()).isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(issuer.keyFetches()).isEqualTo(2);
    }

    @Test
    void metadataOfAnotherIssuerIsNotUsed() throws InterruptedException {
        issuer.publish("https://evil.test", "/.well-known/openid-configuration");
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Unavailable.class);
        assertThat(issuer.keyFetches()).isZero();
    }

    @Test
    void weakAndPrivateKeysAreNotUsed() throws InterruptedException {
        issuer.keys(FakeIssuer.RSA); // with its private part
        assertThat(verifyOld()).isInstanceOf(TokenVerdict.Unavailable.class);
    }
}

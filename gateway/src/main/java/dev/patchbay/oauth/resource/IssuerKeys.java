package dev.patchbay.oauth.resource;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.json.Json;
import dev.patchbay.oauth.resource.VerificationKeys.Outcome;
import dev.patchbay.text.DisplayText;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The keys of one issuer. They are fetched when the first token arrives, again when a token names
 * an unknown key, and in the background when they are old. While the issuer does not answer, the
 * known keys stay in use for a day.
 */
final class IssuerKeys {
    private static final System.Logger log = System.getLogger(IssuerKeys.class.getName());

    /** The shortest time between two fetches, whatever keys the tokens of clients name. */
    static final Duration REFETCH_INTERVAL = Duration.ofSeconds(30);

    static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);
    static final Duration REFRESH_AGE = Duration.ofHours(1);
    static final Duration STALE_AGE_MAX = Duration.ofHours(24);

    /**
     * What the last attempts yielded.
     *
     * @param keys the keys of the last successful fetch; null if there was none
     * @param fetchedAt when it ended, in ticks
     * @param attemptedAt when the last attempt ended, in ticks
     */
    private record State(
            @Nullable VerificationKeys keys, long fetchedAt, long attemptedAt, boolean hasFailed) {}

    private final TrustedIssuer issuer;
    private final IssuerHttp http;
    private final Ticker ticker;
    private @Nullable State state;
    private @Nullable FutureTask<State> running;

    IssuerKeys(TrustedIssuer issuer, IssuerHttp http, Ticker ticker) {
        this.issuer = issuer;
        this.http = http;
        this.ticker = ticker;
    }

    /** Verifies the signature of a token. It waits while keys are fetched. */
    Outcome verify(SignedJwt token, SignatureAlgorithm algorithm)
            throws IssuerUnavailableException, InterruptedException {
        State known = current();
        VerificationKeys keys = known == null || isTooOld(known) ? null : known.keys;
        if (known != null && keys != null) {
            if (isOlderThan(known.fetchedAt, REFRESH_AGE)) {
                Thread.ofVirtual().name("issuer-keys").start(this::refreshQuietly);
            }
            Outcome outcome = keys.verify(token, algorithm);
            if (outcome != Outcome.UNKNOWN_KEY) {
                return outcome;
            }
        }
        State fresh = refresh();
        if (fresh.keys == null || isTooOld(fresh)) {
            throw unavailable();
        }
        Outcome outcome = fresh.keys.verify(token, algorithm);
        if (outcome == Outcome.UNKNOWN_KEY && fresh.hasFailed) {
            throw unavailable(); // the key may be a new one
        }
        return outcome;
    }

    private synchronized @Nullable State current() {
        return state;
    }

    private boolean isOlderThan(long since, Duration age) {
        return ticker.nanoTime() - since > age.toNanos();
    }

    private boolean isTooOld(State known) {
        return isOlderThan(known.fetchedAt, STALE_AGE_MAX);
    }

    private static IssuerUnavailableException unavailable() {
        return new IssuerUnavailableException(
                "The keys of the authorization server cannot be fetched at the moment");
    }

    private void refreshQuietly() {
        try {
            State _ = refresh();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Fetches the keys, unless that was done a moment ago. Concurrent callers share one fetch. */
    private State refresh() throws InterruptedException {
        FutureTask<State> task;
        boolean isOwn = false;
        synchronized (this) {
            if (running == null) {
                State known = state;
                if (known != null && !isDue(known)) {
                    return known;
                }
                running = new FutureTask<>(() -> fetch(known));
                isOwn = true;
            }
            task = running;
        }
        if (isOwn) {
            task.run();
        }
        try {
            return task.get(); // bounded by the timeout of the request
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            if (isOwn) {
                synchronized (this) {
                    running = null;
                }
            }
        }
    }

    private boolean isDue(State known) {
        return isOlderThan(known.attemptedAt, known.hasFailed ? RETRY_INTERVAL : REFETCH_INTERVAL);
    }

    private State fetch(@Nullable State before) throws InterruptedException {
        State after;
        try {
            VerificationKeys keys = fetchKeys();
            long now = ticker.nanoTime();
            after = new State(keys, now, now, false);
        } catch (IOException | RuntimeException e) {
            log.log(
                    WARNING,
                    "The keys of {0} cannot be fetched: {1}",
                    DisplayText.message(issuer.issuer()),
                    DisplayText.message(String.valueOf(e.getMessage())));
            long now = ticker.nanoTime();
            after =
                    before == null
                            ? new State(null, now, now, true)
                            : new State(before.keys, before.fetchedAt, now, true);
        }
        synchronized (this) {
            state = after;
        }
        return after;
    }

    private VerificationKeys fetchKeys() throws IOException, InterruptedException {
        URI configured = issuer.jwksUrl();
        URI url =
                configured == null
                        ? new IssuerMetadata(issuer.issuer(), http).findUrl("jwks_uri")
                        : configured;
        Json keySet = http.get(url);
        VerificationKeys keys = VerificationKeys.parse(keySet);
        if (keys.isEmpty()) {
            throw new IOException("there is no usable key at " + url);
        }
        return keys;
    }
}

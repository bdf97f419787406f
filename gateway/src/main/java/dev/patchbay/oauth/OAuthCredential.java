package dev.patchbay.oauth;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.http.client.Credential;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.ServerId;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The tokens of one server. All requests that need new tokens wait for one renewal. It continues
 * even if no request waits for it any more, because refresh tokens can often be used only once.
 */
final class OAuthCredential implements Credential {
    private static final Duration EXPIRY_MARGIN = Duration.ofSeconds(30);

    /** The minimum time between renewals: after a success, and after a failure. */
    private static final Duration RENEWAL_INTERVAL_MIN = Duration.ofSeconds(1);

    private static final Duration RENEWAL_INTERVAL_AFTER_FAILURE = Duration.ofSeconds(5);

    private final ServerId server;
    private final URI url;
    private final OAuthConfig configured;
    private final SignInFile file;
    private final InstantSource clock;
    private final Runnable onSignInNeeded;
    private volatile State state = new State(null, RenewalFailure.NONE);

    /** The version of the file that was read or written last; guarded by this. */
    private SignInFile.Stamp fileStamp = SignInFile.Stamp.NONE;

    private @Nullable FutureTask<@Nullable StoredSignIn> renewalTask;
    private long lastRenewalNanos;

    /**
     * Creates the credential from the stored tokens.
     *
     * @param awake called when sign-ins of other processes become relevant
     */
    OAuthCredential(
            ServerId server, Target target, SignInFile file, InstantSource clock, Runnable awake) {
        this.server = server;
        this.url = target.url;
        this.configured = target.signIn;
        this.file = file;
        this.clock = clock;
        this.onSignInNeeded = awake;
        reloadIfChanged();
    }

    /** The tokens, and why they could not be renewed. */
    private record State(@Nullable StoredSignIn signIn, RenewalFailure failure) {}

    /**
     * Why the last renewal failed.
     *
     * @param error empty if it did not
     * @param isRefused whether it will fail again
     * @param storageAdvice what the user must do before tokens can be stored; empty if they can
     */
    private record RenewalFailure(String error, boolean isRefused, String storageAdvice) {
        static final RenewalFailure NONE = new RenewalFailure("", false, "");
    }

    /** Where a server is, and how to sign in there. */
    record Target(URI url, OAuthConfig signIn) {}

    boolean isFor(Target target) {
        return url.equals(target.url) && configured.equals(target.signIn);
    }

    /** Reads the file again; returns whether the sign-in has changed. */
    synchronized boolean reloadIfChanged() {
        SignInFile.Stamp now = file.stamp();
        boolean ours = renewalTask != null && !renewalTask.isDone(); // this change is our own
        if (ours || now.equals(fileStamp)) {
            return false;
        }
        State before = state;
        StoredSignIn read = file.read();
        fileStamp = now;
        boolean same = accessToken(before.signIn).equals(accessToken(read));
        state = new State(read, same ? before.failure : RenewalFailure.NONE);
        return !same;
    }

    boolean hasToken() {
        return !accessToken(state.signIn).isEmpty();
    }

    private static String accessToken(@Nullable StoredSignIn kept) {
        return kept == null ? "" : kept.tokens().accessToken();
    }

    private static @Nullable String header(@Nullable StoredSignIn kept) {
        String access = accessToken(kept);
        return access.isEmpty() ? null : "Bearer " + access;
    }

    @Override
    public @Nullable String authorization() {
        return header(state.signIn);
    }

    @Override
    public void renewIfExpired() throws InterruptedException {
        StoredSignIn now = state.signIn;
        if (now != null && now.tokens().expiresWithin(clock.instant(), EXPIRY_MARGIN)) {
            boolean own = !configured.needsPerson();
            if (own || now.tokens().isRenewable()) {
                awaitRenewal(now, new BearerChallenge(true, "", now.tokens().scope(), ""));
            }
        }
    }

    @Override
    public boolean tryRenew(Refusal refusal) throws InterruptedException {
        onSignInNeeded.run();
        BearerChallenge challenge = BearerChallenge.parse(refusal.challenge());
        String shown = refusal.authorization();
        if (refusal.status() != 401) {
            if (shown != null && challenge.isInsufficientScope()) {
                storeMissingScope(challenge.scope());
            }
            return false;
        }
        String now = authorization();
        if (now != null && !now.equals(shown)) {
            return true;
        }
        boolean own = !configured.needsPerson();
        if (!challenge.acceptsBearer() || (shown == null && !own)) {
            return false;
        }
        awaitRenewal(state.signIn, challenge);
        String after = authorization();
        return after != null && !after.equals(shown);
    }

    @Override
    public String advice(Refusal refusal) {
        BearerChallenge challenge = BearerChallenge.parse(refusal.challenge());
        String command = "patchbay login " + server;
        if (refusal.status() == 403) {
            boolean more = challenge.isInsufficientScope() && hasToken();
            return more ? "more permissions are needed: run " + command : "";
        }
        if (!challenge.acceptsBearer()) {
            return "";
        }
        RenewalFailure failure = state.failure;
        if (!configured.needsPerson()) {
            return failure.isRefused
                    ? "the configured client credentials were refused: " + failure.error
                    : "";
        }
        return failure.error.isEmpty() ? "run " + command : failure.storageAdvice;
    }

    @Override
    public String renewalError() {
        return state.failure.error;
    }

    /** Remembers missing scopes for the next sign-in. */
    private void storeMissingScope(String scope) {
        try {
            file.withLock(
                    () -> {
                        StoredSignIn now = file.read();
                        if (now != null && !now.missingScope().equals(scope)) {
                            file.write(now.withMissingScope(scope));
                        }
                        return scope;
                    });
            rememberStamp();
        } catch (IOException | SignInFailed e) {
            log("The scopes that server {0} requires could not be stored: {1}", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void rememberStamp() {
        fileStamp = file.stamp();
    }

    private void awaitRenewal(@Nullable StoredSignIn old, BearerChallenge challenge)
            throws InterruptedException {
        try {
            renewalTask(old, challenge).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A renewal tells its failures otherwise", e);
        }
    }

    /** The current renewal, or a new one. */
    private synchronized FutureTask<@Nullable StoredSignIn> renewalTask(
            @Nullable StoredSignIn old, BearerChallenge challenge) {
        FutureTask<@Nullable StoredSignIn> last = renewalTask;
        boolean idle = last == null || last.isDone();
        Duration pause =
                state.failure.error.isEmpty()
                        ? RENEWAL_INTERVAL_MIN
                        : RENEWAL_INTERVAL_AFTER_FAILURE;
        if (last != null && (!idle || System.nanoTime() - lastRenewalNanos < pause.toNanos())) {
            return last;
        }
        lastRenewalNanos = System.nanoTime();
        var begun = new FutureTask<@Nullable StoredSignIn>(() -> runRenewal(old, challenge));
        renewalTask = begun;
        Thread.ofVirtual().name("sign-in " + server).start(begun);
        return begun;
    }

    private @Nullable StoredSignIn runRenewal(@Nullable StoredSignIn old, BearerChallenge challenge)
            throws InterruptedException {
        var renewal = new TokenRenewer(url, configured, file, clock);
        try {
            String issuer = old == null ? "" : old.tokenIssuer().issuer();
            boolean own = !configured.needsPerson();
            StoredSignIn renewed = state.signIn;
            if (own) {
                renewed = storeIfPossible(renewal.requestOwnTokens(challenge, issuer));
            } else if (old != null) {
                renewed = renewal.renew(old);
            }
            state = new State(renewed, RenewalFailure.NONE);
            rememberStamp();
        } catch (SignInFailed e) {
            fail(new RenewalFailure(e.reason(), e.isPermanent(), ""));
            log("The sign-in to server {0} could not be renewed: {1}", e);
        } catch (IOException e) {
            String advice =
                    "the sign-in was not renewed, because the new tokens cannot be stored: "
                            + printableMessage(e);
            fail(new RenewalFailure("its tokens cannot be stored", false, advice));
            log("The tokens of server {0} could not be stored: {1}", e);
        }
        return state.signIn;
    }

    private void fail(RenewalFailure failure) {
        state = new State(state.signIn, failure);
    }

    /** Stores tokens that can be obtained at any time; a failure to store them is only logged. */
    private StoredSignIn storeIfPossible(StoredSignIn own)
            throws SignInFailed, InterruptedException {
        try {
            return file.withLock(
                    () -> {
                        file.write(own);
                        return own;
                    });
        } catch (IOException e) {
            log("The tokens of server {0} are used but could not be stored: {1}", e);
            return own;
        }
    }

    private void log(String what, Exception e) {
        System.getLogger(OAuthCredential.class.getName())
                .log(WARNING, what, server, printableMessage(e));
    }

    private static String printableMessage(Exception e) {
        return DisplayText.message(String.valueOf(e.getMessage()));
    }
}

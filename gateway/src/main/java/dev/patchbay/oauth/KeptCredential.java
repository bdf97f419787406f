package dev.patchbay.oauth;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.http.Credential;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.SignIn;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The tokens of one server. All requests that find them run out wait for one renewal, which goes on
 * even if nobody waits for it any more: what it brings can often be had once only.
 */
final class KeptCredential implements Credential {
    private static final Duration MARGIN = Duration.ofSeconds(30);

    /** So much time passes before the next renewal: after one that worked, and one that failed. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration LONG_PAUSE = Duration.ofSeconds(5);

    private final ServerId server;
    private final URI url;
    private final SignIn configured;
    private final KeptFile file;
    private final InstantSource clock;
    private final Runnable awake;
    private volatile @Nullable Kept kept;
    private volatile KeptFile.Sight seen = KeptFile.Sight.NONE;
    private volatile String trouble = "";
    private volatile boolean hopeless;

    /** What a person has to do before tokens can be kept; empty if they can. */
    private volatile String unkept = "";

    private @Nullable FutureTask<@Nullable Kept> flight;
    private long triedNanos;

    /**
     * The tokens of a server, as far as they are kept.
     *
     * @param awake told when it becomes of interest whether somebody signs in
     */
    KeptCredential(
            ServerId server, Target target, KeptFile file, InstantSource clock, Runnable awake) {
        this.server = server;
        this.url = target.url;
        this.configured = target.signIn;
        this.file = file;
        this.clock = clock;
        this.awake = awake;
        look();
    }

    /** Where a server is, and how to sign in there. */
    record Target(URI url, SignIn signIn) {}

    boolean isFor(Target target) {
        return url.equals(target.url) && configured.equals(target.signIn);
    }

    /** Takes what the file says now; whether that is another sign-in than before. */
    synchronized boolean look() {
        KeptFile.Sight now = file.look();
        boolean ours = flight != null && !flight.isDone(); // what changes now is our own doing
        if (ours || now.equals(seen)) {
            return false;
        }
        Kept before = kept;
        kept = file.read();
        seen = now;
        boolean same = access(before).equals(access(kept));
        if (!same) {
            trouble = "";
            hopeless = false;
        }
        return !same;
    }

    boolean isThere() {
        return !access(kept).isEmpty();
    }

    private static String access(@Nullable Kept kept) {
        return kept == null ? "" : kept.tokens().access();
    }

    private static @Nullable String header(@Nullable Kept kept) {
        String access = access(kept);
        return access.isEmpty() ? null : "Bearer " + access;
    }

    @Override
    public @Nullable String current() {
        return header(kept);
    }

    @Override
    public void prepare() throws InterruptedException {
        Kept now = kept;
        if (now != null && now.tokens().runOut(clock.instant(), MARGIN)) {
            boolean own = configured.grant() == SignIn.Grant.CLIENT_CREDENTIALS;
            if (own || now.tokens().canBeRenewed()) {
                renew(now, new Challenge(true, "", now.tokens().scope(), ""));
            }
        }
    }

    @Override
    public boolean renewed(Refusal refusal) throws InterruptedException {
        awake.run();
        Challenge challenge = Challenge.of(refusal.challenge());
        String shown = refusal.shown();
        if (refusal.status() != 401) {
            if (shown != null && challenge.wantsMoreRights()) {
                note(challenge.scope());
            }
            return false;
        }
        String now = current();
        if (now != null && !now.equals(shown)) {
            return true;
        }
        boolean own = configured.grant() == SignIn.Grant.CLIENT_CREDENTIALS;
        if (!challenge.bearer() || (shown == null && !own)) {
            return false;
        }
        renew(kept, challenge);
        String after = current();
        return after != null && !after.equals(shown);
    }

    @Override
    public String advice(Refusal refusal) {
        Challenge challenge = Challenge.of(refusal.challenge());
        String command = "patchbay login " + server;
        if (refusal.status() == 403) {
            boolean more = challenge.wantsMoreRights() && isThere();
            return more ? "it wants more rights; sign in again with: " + command : "";
        }
        if (!challenge.bearer()) {
            return "";
        }
        if (configured.grant() == SignIn.Grant.CLIENT_CREDENTIALS) {
            return hopeless ? "its client credentials do not work: " + trouble : "";
        }
        return trouble.isEmpty() ? "sign in with: " + command : unkept;
    }

    @Override
    public String trouble() {
        return trouble;
    }

    /** Remembers which rights were missing, for the next sign-in. */
    private void note(String scope) {
        try {
            file.alone(
                    () -> {
                        Kept now = file.read();
                        if (now != null && !now.wanted().equals(scope)) {
                            file.write(now.wanting(scope));
                        }
                        return scope;
                    });
            seen = file.look();
        } catch (IOException | SignInFailed e) {
            log("What server {0} wants could not be noted: {1}", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void renew(@Nullable Kept old, Challenge challenge) throws InterruptedException {
        try {
            flight(old, challenge).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A renewal tells its failures otherwise", e);
        }
    }

    /** The renewal that is under way, or a new one. */
    private synchronized FutureTask<@Nullable Kept> flight(
            @Nullable Kept old, Challenge challenge) {
        FutureTask<@Nullable Kept> last = flight;
        boolean idle = last == null || last.isDone();
        Duration pause = trouble.isEmpty() ? PAUSE : LONG_PAUSE;
        if (last != null && (!idle || System.nanoTime() - triedNanos < pause.toNanos())) {
            return last;
        }
        triedNanos = System.nanoTime();
        var begun = new FutureTask<@Nullable Kept>(() -> renewal(old, challenge));
        flight = begun;
        Thread.ofVirtual().name("sign-in " + server).start(begun);
        return begun;
    }

    private @Nullable Kept renewal(@Nullable Kept old, Challenge challenge)
            throws InterruptedException {
        var renewal = new Renewal(url, configured, file, clock);
        try {
            String issuer = old == null ? "" : old.authority().issuer();
            boolean own = configured.grant() == SignIn.Grant.CLIENT_CREDENTIALS;
            if (own) {
                kept = keptIfPossible(renewal.own(challenge, issuer));
            } else if (old != null) {
                kept = renewal.renew(old);
            }
            trouble = "";
            unkept = "";
            hopeless = false;
            seen = file.look();
        } catch (SignInFailed e) {
            unkept = "";
            trouble = e.why();
            hopeless = e.isRefused();
            log("The sign-in to server {0} could not be renewed: {1}", e);
        } catch (IOException e) {
            trouble = "its tokens cannot be kept";
            unkept = "its sign-in is not renewed, since that cannot be kept: " + shown(e);
            log("The tokens of server {0} could not be kept: {1}", e);
        }
        return kept;
    }

    /** Writes down what can be had at any time: it is of use also where that fails. */
    private Kept keptIfPossible(Kept own) throws SignInFailed, InterruptedException {
        try {
            return file.alone(
                    () -> {
                        file.write(own);
                        return own;
                    });
        } catch (IOException e) {
            log("The tokens of server {0} are used but could not be kept: {1}", e);
            return own;
        }
    }

    private void log(String what, Exception e) {
        System.getLogger(KeptCredential.class.getName()).log(WARNING, what, server, shown(e));
    }

    private static String shown(Exception e) {
        return Shown.of(String.valueOf(e.getMessage()));
    }
}

package dev.patchbay.oauth;

import dev.patchbay.background.BackgroundLoop;
import dev.patchbay.http.client.Credential;
import dev.patchbay.server.ConfiguredValues;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The sign-ins of a gateway's servers. Once a server has required sign-in, changes made by other
 * processes are detected.
 */
public final class SignInRegistry implements AutoCloseable {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final @Nullable Path folder;
    private final InstantSource clock;
    private final Map<ServerId, OAuthCredential> credentials = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicBoolean isPolling = new AtomicBoolean();
    private volatile @Nullable Consumer<ServerId> listener;

    /** Creates a registry of the sign-ins in a folder; null to store and use none. */
    public SignInRegistry(@Nullable Path stateDir, InstantSource clock) {
        this.folder = stateDir == null ? null : stateDir.resolve("sign-in");
        this.clock = clock;
    }

    /** Sets the listener that is called when the sign-in of a server changes. */
    public void setListener(Consumer<ServerId> changed) {
        listener = changed;
        if (credentials.values().stream().anyMatch(OAuthCredential::hasToken)) {
            startPolling();
        }
    }

    /** The credential of a server. */
    public Credential credentialFor(ServerSpec spec) {
        return switch (spec.transport()) {
            case Transport.Http http ->
                    credentialFor(spec.id(), http.url(), http.headers(), http.oauth());
            case Transport.Sse sse ->
                    credentialFor(spec.id(), sse.url(), sse.headers(), sse.oauth());
            case Transport.Stdio _,
                    Transport.MissingVariables _,
                    Transport.NotTrusted _,
                    Transport.Invalid _ ->
                    Credential.NONE;
        };
    }

    private Credential credentialFor(
            ServerId id, URI url, ConfiguredValues headers, OAuthConfig signIn) {
        Path kept = folder;
        if (kept == null || headers.hasHeader("authorization")) {
            return Credential.NONE;
        }
        var target = new OAuthCredential.Target(url, signIn);
        OAuthCredential credential =
                credentials.compute(
                        id,
                        (_, old) ->
                                old != null && old.isFor(target)
                                        ? old
                                        : newCredential(id, target, kept));
        if (credential.hasToken()) {
            startPolling();
        }
        return credential;
    }

    private OAuthCredential newCredential(ServerId id, OAuthCredential.Target target, Path kept) {
        var file = new SignInFile(kept, id.value(), target.url().toString());
        return new OAuthCredential(id, target, file, clock, this::startPolling);
    }

    /** Starts to poll the files, if that is wanted and not done yet. */
    private void startPolling() {
        if (listener != null && isPolling.compareAndSet(false, true)) {
            var _ = BackgroundLoop.start("sign-ins", this::poll);
        }
    }

    private boolean poll() throws InterruptedException {
        if (closed.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        credentials.forEach(this::checkFile);
        return true;
    }

    private void checkFile(ServerId id, OAuthCredential credential) {
        Consumer<ServerId> told = listener;
        if (credential.reloadIfChanged() && told != null) {
            told.accept(id);
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}

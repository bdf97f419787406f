package dev.patchbay.oauth;

import dev.patchbay.http.Credential;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.SignIn;

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
 * The sign-ins of a gateway's servers. Once a server has wanted one, it is noticed when somebody
 * signs in or out, in whatever process.
 */
public final class SignIns implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private final @Nullable Path folder;
    private final InstantSource clock;
    private final Map<ServerId, KeptCredential> credentials = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicBoolean awake = new AtomicBoolean();
    private volatile @Nullable Consumer<ServerId> listener;

    /** The sign-ins that are kept below a folder; without one nothing is kept or used. */
    public SignIns(@Nullable Path stateDir, InstantSource clock) {
        this.folder = stateDir == null ? null : stateDir.resolve("sign-in");
        this.clock = clock;
    }

    /** Has somebody told which server is signed in to in another way than before. */
    public void watch(Consumer<ServerId> changed) {
        listener = changed;
        if (credentials.values().stream().anyMatch(KeptCredential::isThere)) {
            wake();
        }
    }

    /** What a server is to be shown besides its headers. */
    public Credential of(ServerSpec spec) {
        return switch (spec.transport()) {
            case Transport.Http http -> of(spec.id(), http.url(), http.headers(), http.signIn());
            case Transport.Sse sse -> of(spec.id(), sse.url(), sse.headers(), sse.signIn());
            case Transport.Stdio _, Transport.Unset _ -> Credential.NONE;
        };
    }

    private Credential of(ServerId id, URI url, Map<String, String> headers, SignIn signIn) {
        Path kept = folder;
        if (kept == null || headers.keySet().stream().anyMatch("authorization"::equalsIgnoreCase)) {
            return Credential.NONE;
        }
        var target = new KeptCredential.Target(url, signIn);
        KeptCredential credential =
                credentials.compute(
                        id,
                        (_, old) ->
                                old != null && old.isFor(target) ? old : made(id, target, kept));
        if (credential.isThere()) {
            wake();
        }
        return credential;
    }

    private KeptCredential made(ServerId id, KeptCredential.Target target, Path kept) {
        var file = new KeptFile(kept, id.value(), target.url().toString());
        return new KeptCredential(id, target, file, clock, this::wake);
    }

    /** Begins to look at the files, if that is wanted and not done yet. */
    private void wake() {
        if (listener != null && awake.compareAndSet(false, true)) {
            Thread.ofVirtual().name("sign-ins").start(this::run);
        }
    }

    private void run() {
        try {
            while (!closed.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                credentials.forEach(this::look);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(ServerId id, KeptCredential credential) {
        Consumer<ServerId> told = listener;
        if (credential.look() && told != null) {
            told.accept(id);
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}

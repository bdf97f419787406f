package dev.patchbay.sandbox;

import dev.patchbay.sandbox.SeccompFilter.Architecture;
import dev.patchbay.server.SandboxPolicy;
import dev.patchbay.server.SandboxUnavailableException;
import dev.patchbay.stdio.ProcessLauncher;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Starts the processes of servers, confined as their policies demand. */
public final class ServerSandbox implements AutoCloseable {
    /** Chooses between bubblewrap and landlock; the better one that works if it is not set. */
    public static final String MECHANISM_VARIABLE = "PATCHBAY_SANDBOX";

    private static final Duration PROFILES_WAIT_MAX = Duration.ofSeconds(5);

    private final Supplier<SandboxHost> hostSupplier;
    private final Set<Thread> profileWriters = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Bubblewrap bubblewrap;

    /**
     * For a gateway with these files on this machine.
     *
     * @param variables the environment that servers are started in
     */
    public ServerSandbox(
            Map<String, String> variables, @Nullable Path stateDir, List<Path> ownFiles) {
        this(() -> SandboxHost.of(variables, stateDir, ownFiles));
    }

    /**
     * @param host asked only if a server has a sandbox
     */
    ServerSandbox(Supplier<SandboxHost> host) {
        this.hostSupplier = host;
    }

    /**
     * A launcher for the process of a server.
     *
     * @throws SandboxUnavailableException if this machine cannot enforce the policy
     */
    public ProcessLauncher launcher(String server, SandboxPolicy policy) throws IOException {
        if (policy instanceof SandboxPolicy.None) {
            return ProcessLauncher.DIRECT;
        }
        if (!Files.isDirectory(Path.of("/proc/self"))) {
            throw new SandboxUnavailableException(
                    "a sandbox needs Linux", "Remove sandbox from the server");
        }
        SandboxHost host = hostSupplier.get();
        Optional<Bubblewrap> found = findBubblewrap(host);
        return new SandboxLauncher(this, host, found.orElse(null), server, policy);
    }

    /** Whether this machine can enforce {@code standard}. */
    public boolean isStandardAvailable() throws IOException {
        if (!Files.isDirectory(Path.of("/proc/self")) || Architecture.current() == null) {
            return false;
        }
        try {
            return findBubblewrap(hostSupplier.get()).isPresent() || LandlockLauncher.isAvailable();
        } catch (SandboxUnavailableException _) {
            return false;
        }
    }

    private Optional<Bubblewrap> findBubblewrap(SandboxHost host) throws IOException {
        String mechanism = host.variables().getOrDefault(MECHANISM_VARIABLE, "");
        if (mechanism.equals("landlock")) {
            return Optional.empty();
        }
        Bubblewrap known = bubblewrap;
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Bubblewrap> found = Bubblewrap.find(host.variables().get("PATH"));
        found.ifPresent(it -> bubblewrap = it);
        if (found.isEmpty() && mechanism.equals("bubblewrap")) {
            throw new SandboxUnavailableException(
                    "bubblewrap is not installed or does not work here",
                    "Install bubblewrap, or unset " + MECHANISM_VARIABLE);
        }
        return found;
    }

    /** Runs something after the end of a process that must be done before the gateway ends. */
    void runProfileWriter(Runnable task) {
        var thread = Thread.ofVirtual().unstarted(task);
        profileWriters.add(thread);
        thread.start();
    }

    /** The current thread has written its profile. */
    void profileWritten() {
        profileWriters.remove(Thread.currentThread());
    }

    /** Waits until the profiles of processes that have ended are written. */
    @Override
    public void close() {
        try {
            for (Thread writer : profileWriters) {
                writer.join(PROFILES_WAIT_MAX);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

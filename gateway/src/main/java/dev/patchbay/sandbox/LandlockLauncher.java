package dev.patchbay.sandbox;

import dev.patchbay.files.PrivateFile;
import dev.patchbay.sandbox.SandboxView.Network;
import dev.patchbay.sandbox.SeccompFilter.Architecture;
import dev.patchbay.server.SandboxUnavailableException;
import dev.patchbay.stdio.ProcessGroup;
import dev.patchbay.stdio.ProcessLauncher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Starts programs that the kernel restricts by Landlock and a filter of system calls. A thread
 * restricts itself, starts the program, which inherits this, and ends.
 */
final class LandlockLauncher implements ProcessLauncher {
    /** The first version that also keeps a process from signalling others. */
    private static final int VERSION_MIN = 6;

    private static final long TCP_BIND_AND_CONNECT = 3;
    private static final long SCOPE_SOCKETS_AND_SIGNALS = 3;

    private final LinuxKernel kernel;
    private final Architecture architecture;
    private final SandboxView view;
    private final TemporaryFolder scratch;

    private LandlockLauncher(
            LinuxKernel kernel,
            Architecture architecture,
            SandboxView view,
            TemporaryFolder scratch) {
        this.kernel = kernel;
        this.architecture = architecture;
        this.view = view;
        this.scratch = scratch;
    }

    /** Whether the kernel can confine processes. */
    static boolean isAvailable() {
        Architecture architecture = Architecture.current();
        return architecture != null
                && new LinuxKernel(architecture).landlockVersion() >= VERSION_MIN;
    }

    /** A launcher, if the kernel can enforce the view. */
    static LandlockLauncher open(SandboxView view, TemporaryFolder scratch)
            throws SandboxUnavailableException {
        Architecture architecture = Architecture.current();
        if (architecture == null) {
            throw new SandboxUnavailableException(
                    "bubblewrap does not work here, and Landlock is supported on x86-64 and"
                            + " aarch64 only",
                    "Install bubblewrap, or choose another sandbox for the server");
        }
        if (view.network() instanceof Network.Proxied) {
            throw new SandboxUnavailableException(
                    "a sandbox with a list of hosts needs bubblewrap, which is not installed or"
                            + " does not work here",
                    "Install bubblewrap, or set network to false");
        }
        var kernel = new LinuxKernel(architecture);
        int version = kernel.landlockVersion();
        if (version < VERSION_MIN) {
            throw new SandboxUnavailableException(
                    "bubblewrap is not installed or does not work here, and the kernel has no"
                            + " Landlock of version "
                            + VERSION_MIN
                            + " (Linux 6.12)",
                    "Install bubblewrap, or choose another sandbox for the server");
        }
        return new LandlockLauncher(kernel, architecture, view, scratch);
    }

    @Override
    public Process launch(ProcessBuilder builder) throws IOException {
        Path temporary = scratch.path().resolve("tmp");
        PrivateFile.createFolder(temporary);
        builder.environment().put("TMPDIR", temporary.toString());
        Map<Path, Long> rules =
                LandlockRules.of(
                        view, temporary, List.of(Path.of(System.getProperty("java.home"))));
        // Classes are loaded now: the restricted thread may not be able to read them.
        byte[] filter = SeccompFilter.compile(architecture, !view.isWholeSystem(), families());
        var _ = ProcessGroup.commandPrefix();
        ProcessLauncher direct = DIRECT;
        var started = new AtomicReference<Process>();
        var failure = new AtomicReference<IOException>();
        // A platform thread: restrictions hold for a thread of the system.
        Thread restricted =
                Thread.ofPlatform()
                        .name("sandbox start")
                        .start(
                                () -> {
                                    try {
                                        restrictThisThread(rules, filter);
                                        started.set(direct.launch(builder));
                                    } catch (IOException e) {
                                        failure.set(e);
                                    }
                                });
        awaitEnd(restricted);
        Process process = started.get();
        if (process != null) {
            return process;
        }
        IOException why = failure.get();
        throw why == null ? new IOException("the process was not started") : why;
    }

    private void restrictThisThread(Map<Path, Long> rules, byte[] filter) throws IOException {
        long network = view.network() instanceof Network.Closed ? TCP_BIND_AND_CONNECT : 0;
        long ruleset = kernel.createRuleset(LandlockRules.ALL, network, SCOPE_SOCKETS_AND_SIGNALS);
        for (var rule : rules.entrySet()) {
            kernel.allow(ruleset, rule.getKey(), rule.getValue());
        }
        kernel.dropPrivileges();
        kernel.restrictSelf(ruleset);
        kernel.close(ruleset);
        kernel.installFilter(filter);
    }

    /** Not Unix sockets: Landlock cannot tell them apart by their path. */
    private List<Integer> families() {
        return view.network() instanceof Network.Closed
                ? List.of()
                : List.of(SeccompFilter.AF_INET, SeccompFilter.AF_INET6, SeccompFilter.AF_NETLINK);
    }

    /** Waits for the start even if this thread is interrupted: nobody else knows the process. */
    private static void awaitEnd(Thread thread) {
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.patchbay.sandbox;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.sandbox.SandboxView.Network;
import dev.patchbay.sandbox.SeccompFilter.Architecture;
import dev.patchbay.server.SandboxPolicy;
import dev.patchbay.server.SandboxUnavailableException;
import dev.patchbay.stdio.ProcessLauncher;
import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Starts the process of one server with what its policy allows. */
final class SandboxLauncher implements ProcessLauncher {
    private static final int HOSTS_MAX = 1_000;

    private final ServerSandbox sandbox;
    private final SandboxHost host;
    private final @Nullable Bubblewrap bubblewrap;
    private final String server;
    private final SandboxPolicy policy;

    /**
     * @param bubblewrap null if it does not work here
     */
    SandboxLauncher(
            ServerSandbox sandbox,
            SandboxHost host,
            @Nullable Bubblewrap bubblewrap,
            String server,
            SandboxPolicy policy) {
        this.sandbox = sandbox;
        this.host = host;
        this.bubblewrap = bubblewrap;
        this.server = server;
        this.policy = policy;
    }

    @Override
    public boolean isMonitor() {
        return bubblewrap != null;
    }

    @Override
    public Process launch(ProcessBuilder builder) throws IOException {
        var start = new Start(builder);
        try {
            Process process = start.run();
            start.cleanUpAfter(process);
            return process;
        } catch (IOException | RuntimeException e) {
            start.close();
            throw e;
        }
    }

    /** One start, and what exists as long as its process. */
    private final class Start implements AutoCloseable {
        private final ProcessBuilder builder;
        private final Path program;
        private final SandboxView view;
        private final TemporaryFolder temporary;
        private final Set<String> reachedHosts = ConcurrentHashMap.newKeySet();
        private @Nullable ConnectProxy proxy;
        private @Nullable AccessRecorder recorder;

        Start(ProcessBuilder builder) throws IOException {
            this.builder = builder;
            this.program = Path.of(builder.command().getFirst());
            this.view = viewFor(program, folderOf(builder));
            this.temporary = TemporaryFolder.create();
        }

        Process run() throws IOException {
            if (bubblewrap == null) {
                requireNotLearning();
                return LandlockLauncher.open(view, temporary).launch(builder);
            }
            Architecture architecture = Architecture.current();
            if (architecture == null) {
                throw new SandboxUnavailableException(
                        "a sandbox is supported on x86-64 and aarch64 only",
                        "Remove sandbox from the server");
            }
            if (policy instanceof SandboxPolicy.Learn) {
                recorder = AccessRecorder.open(temporary);
                proxy = openProxy(this::noteHost);
            } else if (view.network() instanceof Network.Proxied(var allowed)) {
                proxy =
                        openProxy(
                                (name, port) ->
                                        allowed.stream().anyMatch(it -> it.matches(name, port)));
            }
            byte[] filter =
                    SeccompFilter.compile(
                            architecture,
                            !view.isWholeSystem(),
                            view.isWholeSystem() ? null : families());
            Path socket = proxy == null ? null : proxySocket();
            var companions = new BubblewrapLauncher.Companions(socket, recorder);
            return new BubblewrapLauncher(bubblewrap, view, filter, temporary, companions)
                    .launch(builder);
        }

        private void requireNotLearning() throws SandboxUnavailableException {
            if (policy instanceof SandboxPolicy.Learn) {
                throw new SandboxUnavailableException(
                        "the level learn needs bubblewrap, which is not installed or does not work"
                                + " here",
                        "Install bubblewrap, or choose another sandbox for the server");
            }
        }

        private ConnectProxy openProxy(ConnectProxy.Rule rule) throws IOException {
            return ConnectProxy.open(proxySocket(), rule);
        }

        private Path proxySocket() {
            return temporary.path().resolve("proxy");
        }

        private boolean noteHost(String name, int port) {
            if (reachedHosts.size() < HOSTS_MAX) {
                reachedHosts.add((name.indexOf(':') >= 0 ? "[" + name + "]" : name) + ":" + port);
            }
            return true;
        }

        /** Cleans up as soon as the process has ended. */
        void cleanUpAfter(Process process) {
            if (recorder == null) {
                Thread.ofVirtual().start(() -> closeAfter(process));
            } else {
                sandbox.runProfileWriter(
                        () -> {
                            closeAfter(process);
                            sandbox.profileWritten();
                        });
            }
        }

        private void closeAfter(Process process) {
            try {
                process.waitFor();
                writeProfile();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (IOException | RuntimeException e) {
                log().log(WARNING, "No profile of " + server, new LoggedFailure(e));
            }
            close();
        }

        private void writeProfile() throws IOException {
            Path stateDir = host.stateDir();
            if (recorder == null || stateDir == null) {
                return;
            }
            var nothing = new SandboxPolicy.Strict(List.of(), List.of(), List.of());
            SandboxView strict =
                    new SandboxViewFactory(host).strict(nothing, program, view.folder());
            var profile = new LearnedProfile(view, strict, program);
            recorder.forEachLine(profile::add);
            Path file = stateDir.resolve("sandbox").resolve(server + ".json");
            profile.writeTo(file, reachedHosts);
            log().log(INFO, "The profile of server " + server + " is in " + file);
        }

        @Override
        public void close() {
            if (proxy != null) {
                proxy.close();
            }
            temporary.close();
        }
    }

    private SandboxView viewFor(Path program, Path folder) throws IOException {
        var views = new SandboxViewFactory(host);
        return switch (policy) {
            case SandboxPolicy.Strict strict -> views.strict(strict, program, folder);
            case SandboxPolicy.Standard standard -> views.standard(standard, program, folder);
            case SandboxPolicy.Learn _, SandboxPolicy.None _ -> {
                List<String> needed =
                        BubblewrapLauncher.bridgeFiles().stream()
                                .filter(Files::exists)
                                .map(Path::toString)
                                .toList();
                yield views.standard(
                        new SandboxPolicy.Standard(needed, List.of()), program, folder);
            }
        };
    }

    /** In strict, no sockets that reach beyond the namespaces of the process. */
    private static List<Integer> families() {
        return List.of(
                SeccompFilter.AF_UNIX,
                SeccompFilter.AF_INET,
                SeccompFilter.AF_INET6,
                SeccompFilter.AF_NETLINK);
    }

    private static Path folderOf(ProcessBuilder builder) {
        File folder = builder.directory();
        return (folder == null ? Path.of("") : folder.toPath()).toAbsolutePath().normalize();
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(SandboxLauncher.class.getName());
    }
}

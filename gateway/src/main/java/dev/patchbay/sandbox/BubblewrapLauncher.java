package dev.patchbay.sandbox;

import dev.patchbay.files.CodeLocation;
import dev.patchbay.sandbox.Bubblewrap.ProxySocket;
import dev.patchbay.stdio.ProcessLauncher;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts programs in namespaces of their own. */
final class BubblewrapLauncher implements ProcessLauncher {
    /** By name, because this package must not depend on that of the class. */
    static final String BRIDGE_CLASS = "dev.patchbay.app.SandboxBridge";

    private static final Path SOCKET_INSIDE = Path.of("/tmp/.patchbay-proxy");

    /** A small process: it only copies bytes. */
    private static final List<String> BRIDGE_OPTIONS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:-UsePerfData",
                    "-Xmx32m",
                    "-Xlog:disable");

    private final Bubblewrap bubblewrap;
    private final SandboxView view;
    private final byte[] filter;
    private final TemporaryFolder temporary;
    private final Companions companions;

    /**
     * What accompanies a program.
     *
     * @param proxySocket where the proxy for the program listens; null if it needs none
     * @param recorder records what the program uses; null if nothing is recorded
     */
    record Companions(@Nullable Path proxySocket, @Nullable AccessRecorder recorder) {}

    /**
     * @param filter refuses system calls
     * @param temporary holds the files of this start
     */
    BubblewrapLauncher(
            Bubblewrap bubblewrap,
            SandboxView view,
            byte[] filter,
            TemporaryFolder temporary,
            Companions companions) {
        this.bubblewrap = bubblewrap;
        this.view = view;
        this.filter = filter.clone();
        this.temporary = temporary;
        this.companions = companions;
    }

    @Override
    public boolean isMonitor() {
        return true;
    }

    @Override
    public Process launch(ProcessBuilder builder) throws IOException {
        Path file = temporary.path().resolve("filter");
        Files.write(file, filter);
        var confined = new ArrayList<String>();
        ProxySocket socket = null;
        Path proxySocket = companions.proxySocket();
        if (proxySocket != null) {
            socket = new ProxySocket(proxySocket, SOCKET_INSIDE);
            confined.addAll(bridgeCommand());
        }
        confined.addAll(builder.command());
        List<String> words = bubblewrap.command(view, file, socket, confined);
        AccessRecorder recorder = companions.recorder();
        builder.command(recorder == null ? words : recorder.command(words));
        builder.environment().put("TMPDIR", "/tmp");
        return DIRECT.launch(builder);
    }

    private static List<String> bridgeCommand() {
        var words = new ArrayList<String>();
        words.add(javaHome().resolve("bin/java").toString());
        words.addAll(BRIDGE_OPTIONS);
        words.add("-cp");
        words.add(ownClasses().toString());
        words.add(BRIDGE_CLASS);
        words.add(SOCKET_INSIDE.toString());
        return words;
    }

    /** What the bridge itself must be able to read. */
    static List<Path> bridgeFiles() {
        return List.of(javaHome(), ownClasses());
    }

    private static Path ownClasses() {
        return CodeLocation.of(BubblewrapLauncher.class).toAbsolutePath();
    }

    private static Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }
}

package dev.patchbay.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Properties;

/**
 * A hostile program. It tries to get out of its sandbox in twelve ways, and prints for each whether
 * it was denied. What it gets at is given by its arguments, in the form of {@code name=value}.
 */
final class EscapeProbe {
    /** In the files and variables that it must not see. */
    static final String SECRET = "canary-7f3a";

    private static final int RACES = 300;

    private interface Attempt {
        boolean succeeds() throws Exception;
    }

    private final Properties targets;

    private EscapeProbe(Properties targets) {
        this.targets = targets;
    }

    public static void main(String[] args) {
        var targets = new Properties();
        for (String arg : args) {
            targets.setProperty(
                    arg.substring(0, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
        }
        new EscapeProbe(targets).run();
    }

    private void run() {
        attempt("read-credentials", () -> reads(path("credentials")));
        attempt("read-environment", this::readsEnvironments);
        attempt("write-outside", this::writesOutside);
        attempt("connect-out", this::connectsOut);
        attempt("signal-gateway", () -> RawSystemCalls.kill(pid(), 0));
        attempt("ptrace", () -> RawSystemCalls.attachDebugger(pid()));
        attempt("proc-tricks", this::usesProc);
        attempt("symlink-race", this::winsRace);
        attempt("setuid", this::keepsPrivileges);
        attempt("keyring", RawSystemCalls::openKeyring);
        attempt("unix-socket", this::connectsToSocket);
        attempt(
                "abstract-socket",
                () -> RawSystemCalls.connectAbstract(targets.getProperty("abstract")));
        attempt("read-gateway-state", () -> reads(path("state")));
    }

    private static void attempt(String name, Attempt attempt) {
        String result;
        try {
            result = attempt.succeeds() ? "ESCAPED" : "denied";
        } catch (Exception e) {
            result = "denied by " + e.getClass().getSimpleName();
        }
        System.out.println(name + ": " + result);
    }

    private Path path(String name) {
        return Path.of(targets.getProperty(name));
    }

    private long pid() {
        return Long.parseLong(targets.getProperty("pid"));
    }

    private static boolean reads(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET);
    }

    private boolean readsEnvironments() throws IOException {
        boolean found = false;
        try (var processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                found |= readsQuietly(process.resolve("environ"));
            }
        }
        return found || reads(Path.of("/proc", Long.toString(pid()), "environ"));
    }

    private static boolean readsQuietly(Path file) {
        try {
            return reads(file);
        } catch (IOException _) {
            return false;
        }
    }

    private boolean writesOutside() throws IOException {
        Files.writeString(path("outside").resolve("planted"), "x");
        return true;
    }

    private boolean connectsOut() throws IOException {
        try (var socket = new Socket()) {
            int port = Integer.parseInt(targets.getProperty("port"));
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            socket.connect(address, 2_000);
            return true;
        }
    }

    private boolean usesProc() throws IOException {
        String credentials = targets.getProperty("credentials").substring(1);
        for (String process : List.of("1", Long.toString(pid()), "self")) {
            Path root = Path.of("/proc", process, "root", credentials);
            Path folder = Path.of("/proc", process, "cwd", "id_canary");
            if (readsQuietly(root) || readsQuietly(folder)) {
                return true;
            }
        }
        // Opened only: nothing is written, and the content stays as it is.
        Path setting = Path.of("/proc/sys/kernel/core_pattern");
        try (var _ = FileChannel.open(setting, StandardOpenOption.WRITE)) {
            return true;
        }
    }

    /** Replaces a link again and again while it reads through it. */
    private boolean winsRace() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(path("folder"), "race");
        Path harmless = Files.writeString(folder.resolve("harmless"), "x");
        Path link = folder.resolve("link");
        Files.createSymbolicLink(link, harmless);
        Thread swapper =
                Thread.ofPlatform().daemon().start(() -> swap(folder, link, path("credentials")));
        boolean found = false;
        for (int i = 0; i < RACES; i++) {
            found |= readsQuietly(link);
        }
        swapper.join();
        return found;
    }

    private static void swap(Path folder, Path link, Path target) {
        try {
            for (int i = 0; i < RACES; i++) {
                Path next = folder.resolve("next");
                Files.createSymbolicLink(next, i % 2 == 0 ? target : folder.resolve("harmless"));
                Files.move(next, link, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException _) {
            // It lost.
        }
    }

    /** Whether a program with the setuid bit, or root itself, would have privileges. */
    private boolean keepsPrivileges() throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
        return !status.contains("NoNewPrivs:\t1")
                || status.stream()
                        .filter(line -> line.startsWith("CapEff") || line.startsWith("CapPrm"))
                        .anyMatch(line -> !line.endsWith("\t0000000000000000"));
    }

    private boolean connectsToSocket() throws IOException {
        try (var _ = SocketChannel.open(UnixDomainSocketAddress.of(path("socket")))) {
            return true;
        }
    }
}

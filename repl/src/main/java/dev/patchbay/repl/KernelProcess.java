package dev.patchbay.repl;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.repl.kernel.KernelMain;
import dev.patchbay.repl.kernel.profile.FlightRecorderSetup;
import dev.patchbay.stdio.FileDescriptorBudget;
import dev.patchbay.stdio.ProcessGroup;
import dev.patchbay.stdio.ProcessReaper;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The start of one session JVM: its process, a folder of its own that others cannot look into, and
 * the socket in it over which the JVM connects back.
 */
final class KernelProcess implements AutoCloseable {
    private static final System.Logger log = System.getLogger(KernelProcess.class.getName());

    /** Lives as long as this program, and ends what is left of its sessions after it. */
    private static final ProcessReaper PROCESS_REAPER = new ProcessReaper();

    private static final long POLL_MILLIS = 100;
    private static final int SECRET_BYTES = 16;
    private static final int ERROR_OUTPUT_BYTES_MAX = 4_096;

    private final Path folder;
    private final ServerSocketChannel listener;
    private final Process process;
    private final ProcessGroup group;
    private final String secret;
    private final Duration startTimeout;

    private KernelProcess(
            Path folder,
            ServerSocketChannel listener,
            Process process,
            String secret,
            Duration patience) {
        this.folder = folder;
        this.listener = listener;
        this.process = process;
        this.group = new ProcessGroup(process, PROCESS_REAPER);
        this.secret = secret;
        this.startTimeout = patience;
    }

    static KernelProcess start(ReplSessionOptions options) throws IOException {
        Path folder = Files.createTempDirectory("patchbay-repl");
        try {
            var listener = listener(folder);
            var random = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(random);
            String secret = HexFormat.of().formatHex(random);
            var words = new ArrayList<>(ProcessGroup.commandPrefix());
            words.addAll(command(options, folder, listener));
            Process process = FileDescriptorBudget.startProcess(new ProcessBuilder(words));
            var launch =
                    new KernelProcess(folder, listener, process, secret, options.startTimeout());
            Thread.ofVirtual().start(launch::sweep);
            try (var input = process.getOutputStream()) {
                input.write((secret + "\n").getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw launch.startFailure();
            }
            return launch;
        } catch (IOException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    /** Listens in the folder; on the loopback interface where the system has no such sockets. */
    private static ServerSocketChannel listener(Path folder) throws IOException {
        try {
            var local = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            return local.bind(UnixDomainSocketAddress.of(folder.resolve("socket")));
        } catch (IOException | UnsupportedOperationException e) {
            log.log(DEBUG, "No socket in the file system", e);
            var loopback = ServerSocketChannel.open();
            return loopback.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }
    }

    private static List<String> command(
            ReplSessionOptions options, Path folder, ServerSocketChannel listener)
            throws IOException {
        String address =
                listener.getLocalAddress() instanceof InetSocketAddress inet
                        ? "tcp:" + inet.getPort()
                        : "unix:" + folder.resolve("socket");
        return List.of(
                options.javaHome().resolve("bin").resolve("java").toString(),
                "-Xmx" + options.heapMegabytesMax() + "m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:+DebugNonSafepoints",
                "-D" + FlightRecorderSetup.FOLDER_PROPERTY + "=" + folder,
                "-XX:ErrorFile=" + folder.resolve("crash.log"),
                "-XX:+DisplayVMOutputToStderr",
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-Djava.awt.headless=true",
                "-cp",
                options.classPath().stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)),
                KernelMain.class.getName(),
                address,
                folder.resolve("no-classes").toString());
    }

    Process process() {
        return process;
    }

    String secret() {
        return secret;
    }

    /** Waits for the JVM to connect, and to show that it is the one that was started. */
    SocketChannel accept() throws IOException, InterruptedException {
        long end = System.nanoTime() + startTimeout.toNanos();
        listener.configureBlocking(false);
        try (var selector = Selector.open()) {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (System.nanoTime() < end && process.isAlive()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                selector.select(POLL_MILLIS);
                SocketChannel channel = listener.accept();
                if (channel != null && isAuthenticated(channel)) {
                    channel.configureBlocking(true);
                    return channel;
                }
            }
        }
        throw startFailure();
    }

    /** Whether the first line on a connection holds the secret. */
    private boolean isAuthenticated(SocketChannel channel) throws IOException {
        byte[] expected = ("{\"secret\":\"" + secret + "\"}\n").getBytes(StandardCharsets.US_ASCII);
        var received = ByteBuffer.allocate(expected.length);
        channel.configureBlocking(false);
        try (var selector = Selector.open()) {
            var key = channel.register(selector, SelectionKey.OP_READ);
            while (received.hasRemaining()) {
                if (selector.select(startTimeout.toMillis()) == 0 || channel.read(received) < 0) {
                    channel.close();
                    return false;
                }
                selector.selectedKeys().clear();
            }
            key.cancel();
        }
        boolean same = java.security.MessageDigest.isEqual(expected, received.array());
        if (!same) {
            channel.close();
        }
        return same;
    }

    private IOException startFailure() {
        String complaint = errorOutput(process.getErrorStream());
        String how =
                process.isAlive()
                        ? "did not answer within " + startTimeout.toSeconds() + " s"
                        : "ended with exit status " + process.exitValue();
        return new IOException("The JVM of the session " + how + ". " + complaint);
    }

    private static String errorOutput(InputStream error) {
        try {
            int count = Math.min(error.available(), ERROR_OUTPUT_BYTES_MAX);
            return new String(error.readNBytes(count), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Kills the process and those that it started. */
    void kill() {
        if (process.isAlive()) {
            group.kill();
        }
    }

    /** However the process ends, what it started ends with it. */
    private void sweep() {
        try {
            process.waitFor();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        group.killRemaining();
    }

    @Override
    public void close() {
        kill();
        try {
            listener.close();
        } catch (IOException e) {
            log.log(DEBUG, "A session's listener does not close", e);
        }
        delete(folder);
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            log.log(DEBUG, "The folder of a session stays", e);
        }
    }
}

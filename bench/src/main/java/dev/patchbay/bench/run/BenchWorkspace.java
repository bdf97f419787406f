package dev.patchbay.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The place of one measurement: an empty folder, a free port, and servers over HTTP if asked. */
final class BenchWorkspace implements AutoCloseable {
    private static final long SERVER_START_MS_MAX = 10_000;

    private final Path folder;
    private final int port;
    private final List<Integer> serverPorts = new ArrayList<>();
    private final List<Process> servers = new ArrayList<>();

    BenchWorkspace() throws IOException {
        folder = Files.createTempDirectory("patchbay-bench");
        port = freePort();
    }

    Path folder() {
        return folder;
    }

    int port() {
        return port;
    }

    String url() {
        return "http://127.0.0.1:" + port + "/mcp";
    }

    List<Integer> serverPorts() {
        return serverPorts;
    }

    String serverUrl(int index) {
        return "http://127.0.0.1:" + serverPorts.get(index) + "/mcp";
    }

    /** Starts one more server over HTTP and waits until it listens. */
    void startServer(List<String> command) throws IOException {
        var serverPort = freePort();
        var line = new ArrayList<>(command);
        line.add("--http");
        line.add(Integer.toString(serverPort));
        servers.add(
                new ProcessBuilder(line)
                        .redirectOutput(Redirect.DISCARD)
                        .redirectError(Redirect.INHERIT)
                        .start());
        serverPorts.add(serverPort);
        var deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SERVER_START_MS_MAX);
        while (!listens(serverPort)) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the server over HTTP does not listen");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static boolean listens(int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        servers.forEach(Process::destroyForcibly);
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(BenchWorkspace::delete);
        } catch (UncheckedIOException e) {
            // A process that was ended a moment ago may still have written here.
            System.err.println("bench: " + folder + " could not be removed");
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

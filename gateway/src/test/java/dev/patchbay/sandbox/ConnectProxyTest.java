package dev.patchbay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.patchbay.server.SandboxPolicy.Endpoint;
import dev.patchbay.server.SandboxPolicy.Strict;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The proxy of a confined program, alone and with the sandbox around the program. */
class ConnectProxyTest {
    @TempDir private Path folder;
    private ServerSocket greeter;

    /** Connects through the proxy that its environment names, and prints what it gets. */
    static final class ProxiedProgram {
        private ProxiedProgram() {}

        public static void main(String[] args) throws IOException {
            URI proxy = URI.create(System.getenv("HTTPS_PROXY"));
            for (String target : args) {
                try (var socket = new Socket(proxy.getHost(), proxy.getPort())) {
                    socket.getOutputStream().write(request(target));
                    System.out.write(socket.getInputStream().readAllBytes());
                    System.out.println();
                }
            }
        }
    }

    private static byte[] request(String target) {
        return ("CONNECT " + target + " HTTP/1.1\r\nHost: x\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** A server that says hello and closes. */
    @BeforeEach
    void greet() throws IOException {
        greeter = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Thread.ofVirtual()
                .start(
                        () -> {
                            while (!greeter.isClosed()) {
                                try (Socket client = greeter.accept()) {
                                    client.getOutputStream()
                                            .write("hello".getBytes(StandardCharsets.US_ASCII));
                                } catch (IOException _) {
                                    // Closed.
                                }
                            }
                        });
    }

    @AfterEach
    void close() throws IOException {
        greeter.close();
    }

    private String answer(String request) throws IOException {
        Path file = folder.resolve("proxy");
        var allowed = new Endpoint("localhost", greeter.getLocalPort());
        try (ConnectProxy _ = ConnectProxy.open(file, allowed::matches);
                var channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            return new String(
                    Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void connectsToAnAllowedHost() throws IOException {
        assertThat(
                        answer(
                                "CONNECT localhost:%d HTTP/1.1\r\n\r\n"
                                        .formatted(greeter.getLocalPort())))
                .isEqualTo("HTTP/1.1 200 Connection established\r\n\r\nhello");
    }

    @Test
    void refusesOtherHostsPortsAndMethods() throws IOException {
        int port = greeter.getLocalPort();
        assertThat(answer("CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n".formatted(port)))
                .startsWith("HTTP/1.1 403 ");
        assertThat(answer("CONNECT localhost:1 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403 ");
        assertThat(answer("GET http://localhost:%d/ HTTP/1.1\r\n\r\n".formatted(port)))
                .startsWith("HTTP/1.1 405 ");
        assertThat(answer("CONNECT localhost HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 405 ");
    }

    @Test
    void confinedProgramReachesListedHostsOnly() throws Exception {
        assumeTrue(SandboxTrial.isAvailable("bubblewrap"), "bubblewrap does not work here");
        int port = greeter.getLocalPort();
        Path home = Files.createDirectory(folder.resolve("home"));
        var host = new SandboxHost(System.getenv(), home, folder.resolve("state"), List.of());
        var policy =
                new Strict(
                        SandboxTrial.classPath(),
                        List.of(),
                        List.of(new Endpoint("localhost", port)));
        var words = new ArrayList<>(SandboxTrial.javaCommand(ProxiedProgram.class));
        words.addAll(List.of("localhost:" + port, "127.0.0.1:" + port));
        assertThat(SandboxTrial.lines(host, policy, words, home))
                .contains("hello", "HTTP/1.1 403 Forbidden by the sandbox", "exit 0");
    }
}

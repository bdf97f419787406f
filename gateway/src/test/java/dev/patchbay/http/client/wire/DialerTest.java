package dev.patchbay.http.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.patchbay.http.client.HttpChannelFixture;
import dev.patchbay.http.server.HttpServerFixture;
import dev.patchbay.testkit.RawHttpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Ways to a server whose addresses are not all of use, and connections that nobody ends. */
class DialerTest {
    private static final long KERNEL_TICKS_PER_SECOND = 100;

    /** As on a network with addresses of one kind only: there is no way to those of the other. */
    @ParameterizedTest
    @ValueSource(strings = {"255.255.255.255", "224.0.0.1"})
    void nextAddressIsTriedWhenFirstIsUnreachable(String nowhere) throws Exception {
        try (var server = RawHttpServer.start(exchange -> exchange.respondWithResult("{}"))) {
            InetAddress[] addresses = {
                InetAddress.getByName(nowhere), InetAddress.getLoopbackAddress()
            };
            try (HttpConnection socket = Dialer.dial(addresses, HttpOrigin.of(server.url("/")))) {
                assertThat(socket.isReusable()).isFalse(); // it never rested
            }
        }
    }

    /**
     * A stream on which nothing comes for hours is either quiet or dead; a machine that slept, or a
     * balancer that forgot the connection, says nothing. Linux shows what is done about it.
     */
    @Test
    void quietConnectionUsesTcpKeepAlive() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/net/tcp")));
        var connections = new CopyOnWriteArrayList<Socket>();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().method().equals("GET")) {
                                        exchange.startEventStream().send(": hello\n\n");
                                        connections.add(exchange.socket());
                                        exchange.awaitDisconnect(60_000);
                                    } else if (exchange.request().rpcId().isEmpty()) {
                                        exchange.respond(202, "");
                                    } else {
                                        exchange.respondWithResult("{}");
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            HttpServerFixture.awaitTrue("the stream", () -> !connections.isEmpty());
            String ports =
                    ":%04X .*:%04X 01 ".formatted(connections.getFirst().getPort(), server.port());
            HttpServerFixture.awaitTrue(
                    "probed within a minute",
                    () -> {
                        List<String> line =
                                connectionTable()
                                        .filter(it -> isConnectionLine(it, ports))
                                        .toList();
                        return line.size() == 1 && probeSeconds(line.getFirst()) <= 60;
                    });
        }
    }

    /** The other end hung up long ago, and nobody was awake to hear it. */
    @Test
    void connectionIdleDuringSleepIsNotReused() throws Exception {
        var now = new AtomicReference<>(Instant.EPOCH);
        try (var server = RawHttpServer.start(exchange -> exchange.awaitDisconnect(60_000));
                var channel =
                        SocketChannel.open(
                                new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(), server.port()));
                var socket = new HttpConnection(channel.socket(), channel, now::get)) {
            socket.markIdle(Duration.ofSeconds(30));
            assertThat(socket.isReusable()).isTrue();
            now.set(Instant.EPOCH.plusSeconds(30));
            assertThat(socket.isReusable()).as("so long it may").isTrue();
            now.set(Instant.EPOCH.plus(Duration.ofHours(1)));
            assertThat(socket.isReusable()).isFalse();
        }
    }

    private static boolean isConnectionLine(String line, String ports) {
        return line.matches("\\s*\\d+: [0-9A-F]+" + ports + ".*");
    }

    private static Stream<String> connectionTable() {
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .map(Path::of)
                .filter(Files::exists)
                .flatMap(
                        file -> {
                            try {
                                return Files.readAllLines(file).stream();
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        });
    }

    /** When the other end is next asked whether it is there; for ever if it never is. */
    private static long probeSeconds(String line) {
        String[] timer = line.strip().split("\\s+", -1)[5].split(":", -1);
        return timer[0].equals("02")
                ? Long.parseLong(timer[1], 16) / KERNEL_TICKS_PER_SECOND
                : Long.MAX_VALUE;
    }
}

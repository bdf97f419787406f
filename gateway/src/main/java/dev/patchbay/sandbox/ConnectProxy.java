package dev.patchbay.sandbox;

import dev.patchbay.background.BackgroundLoop;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP proxy for one confined process, on a Unix socket. It knows only the method CONNECT, and
 * connects only to hosts that are allowed.
 */
final class ConnectProxy implements AutoCloseable {
    /** Decides about connections. */
    interface Rule {
        boolean allows(String host, int port);
    }

    private static final int CONNECTIONS_MAX = 256;
    private static final int HEAD_BYTES_MAX = 8 * 1024;
    private static final int PORT_MAX = 65_535;
    private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(10);
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    private final Path file;
    private final Rule rule;
    private final ServerSocketChannel listener;
    private final BackgroundLoop loop;
    private final Semaphore room = new Semaphore(CONNECTIONS_MAX);
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

    /** A host and a port, as a client asks for them. */
    private record Target(String host, int port) {}

    private ConnectProxy(Path file, Rule rule, ServerSocketChannel listener) {
        this.file = file;
        this.rule = rule;
        this.listener = listener;
        this.loop = BackgroundLoop.start("sandbox-proxy", this::accept);
    }

    /** Listens on a socket file that does not exist yet. */
    static ConnectProxy open(Path file, Rule rule) throws IOException {
        var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(file));
        return new ConnectProxy(file, rule, listener);
    }

    @Override
    public void close() {
        loop.close();
        closeQuietly(listener);
        open.forEach(ConnectProxy::closeQuietly);
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            // The folder is deleted later.
        }
    }

    /** Accepts one client. */
    private boolean accept() throws InterruptedException {
        SocketChannel client;
        room.acquire();
        try {
            client = listener.accept();
        } catch (ClosedChannelException _) {
            return false;
        } catch (IOException _) {
            room.release();
            return true;
        }
        open.add(client);
        Thread.ofVirtual().start(() -> serve(client));
        return true;
    }

    private void serve(SocketChannel client) {
        try (client) {
            Target target = readTarget(client);
            if (target == null) {
                reply(client, "405 Method Not Allowed");
                return;
            }
            if (!rule.allows(target.host(), target.port())) {
                reply(client, "403 Forbidden by the sandbox");
                return;
            }
            try (SocketChannel server = connect(target)) {
                open.add(server);
                reply(client, "200 Connection established");
                relay(client, server);
            } catch (IOException _) {
                reply(client, "502 Bad Gateway");
            }
        } catch (IOException | InterruptedException _) {
            // The client has gone.
        } finally {
            open.removeIf(channel -> !channel.isOpen());
            room.release();
        }
    }

    /** Reads the request; null if it is not a valid one of the method CONNECT. */
    private static @Nullable Target readTarget(SocketChannel client) throws IOException {
        var read = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> closeUnless(read, client));
        var head = new StringBuilder();
        var one = ByteBuffer.allocate(1);
        // Byte by byte, as what follows the request belongs to the server.
        while (head.length() < HEAD_BYTES_MAX && head.indexOf("\r\n\r\n") < 0) {
            one.clear();
            if (client.read(one) < 0) {
                throw new ClosedChannelException();
            }
            head.append((char) (one.get(0) & 0xFF));
        }
        read.countDown();
        return target(head.toString());
    }

    private static void closeUnless(CountDownLatch read, SocketChannel client) {
        try {
            if (!read.await(HEAD_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                client.close();
            }
        } catch (IOException | InterruptedException _) {
            // Closed already.
        }
    }

    private static @Nullable Target target(String head) {
        String[] words = head.substring(0, Math.max(0, head.indexOf("\r\n"))).split(" ", -1);
        if (words.length != 3 || !words[0].equals("CONNECT")) {
            return null;
        }
        int colon = words[1].lastIndexOf(':');
        String host = colon < 0 ? "" : words[1].substring(0, colon);
        String digits = words[1].substring(colon + 1);
        boolean isNumber =
                !digits.isEmpty()
                        && digits.length() <= 5
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (host.isEmpty() || !isNumber || Integer.parseInt(digits) > PORT_MAX) {
            return null;
        }
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        return new Target(
                isBracketed ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(digits));
    }

    /**
     * Connects to the first address of a host that accepts. A name must not lead back to this
     * machine or to its link: whoever controls the name would reach services that trust this
     * machine.
     */
    private static SocketChannel connect(Target target) throws IOException {
        IOException last = new UnknownHostException(target.host());
        for (InetAddress address : InetAddress.getAllByName(target.host())) {
            boolean isLocal =
                    address.isLoopbackAddress()
                            || address.isAnyLocalAddress()
                            || address.isLinkLocalAddress()
                            || address.isMulticastAddress();
            if (isLocal && !isLiteralOrLocalhost(target.host(), address)) {
                continue;
            }
            var channel = SocketChannel.open();
            try {
                channel.socket()
                        .connect(new InetSocketAddress(address, target.port()), CONNECT_TIMEOUT_MS);
                return channel;
            } catch (IOException e) {
                closeQuietly(channel);
                last = e;
            }
        }
        throw last;
    }

    private static boolean isLiteralOrLocalhost(String host, InetAddress address) {
        return host.equalsIgnoreCase("localhost")
                || host.equals(address.getHostAddress())
                || host.indexOf(':') >= 0;
    }

    private static void reply(SocketChannel client, String status) throws IOException {
        String length = status.startsWith("200") ? "" : "Content-Length: 0\r\n";
        String text = "HTTP/1.1 " + status + "\r\n" + length + "\r\n";
        var buffer = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (buffer.hasRemaining()) {
            client.write(buffer);
        }
    }

    private static void relay(SocketChannel client, SocketChannel server)
            throws InterruptedException {
        Thread back = Thread.ofVirtual().start(() -> copy(server, client));
        copy(client, server);
        back.join();
    }

    /** Copies until the end, and passes the end on. */
    static void copy(SocketChannel from, SocketChannel to) {
        try {
            Channels.newInputStream(from).transferTo(Channels.newOutputStream(to));
            to.shutdownOutput();
        } catch (IOException _) {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Closeable channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // Closed already.
        }
    }
}

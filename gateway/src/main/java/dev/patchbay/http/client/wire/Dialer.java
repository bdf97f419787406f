package dev.patchbay.http.client.wire;

import dev.patchbay.http.client.wire.HttpSender.NotSentException;

import jdk.net.ExtendedSocketOptions;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * Opens connections to servers: resolves the host, tries its addresses one after the other, and
 * verifies TLS. If this fails, nothing of a request was sent.
 */
final class Dialer {
    private static final int CONNECT_MILLIS_MAX = (int) Duration.ofSeconds(60).toMillis();

    /** The limit if there is another address to try. */
    private static final int CONNECT_MILLIS_MAX_WITH_ALTERNATIVE =
            (int) Duration.ofSeconds(3).toMillis();

    /** Shorter than the usual idle timeout of load balancers. */
    private static final int KEEP_ALIVE_IDLE_SECONDS = 45;

    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 15;
    private static final int KEEP_ALIVE_PROBES = 3;

    private Dialer() {}

    /** Opens a connection to a URL's host, or to the given addresses if there are any. */
    static HttpConnection open(URI url, List<InetAddress> addresses)
            throws NotSentException, InterruptedException {
        HttpOrigin origin = HttpOrigin.of(url);
        try {
            if (!addresses.isEmpty()) {
                return dial(addresses.toArray(InetAddress[]::new), origin);
            }
            HttpProxy proxy = ProxyResolver.resolve(url);
            return proxy == null ? dial(lookUp(origin.hostName()), origin) : tunnel(proxy, origin);
        } catch (UnknownHostException e) {
            throw new NotSentException("host not found: " + origin.hostName(), e);
        } catch (ConnectException | NoRouteToHostException e) {
            throw new NotSentException("connection refused", e);
        } catch (SocketTimeoutException e) {
            throw new NotSentException("the connection was not accepted in time", e);
        } catch (SSLException e) {
            throw new NotSentException("TLS failed: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new NotSentException("connection failed: " + e.getMessage(), e);
        }
    }

    /** Resolved on its own thread, because a slow lookup blocks its thread. */
    private static InetAddress[] lookUp(String name) throws IOException, InterruptedException {
        var looking = new FutureTask<>(() -> InetAddress.getAllByName(name));
        Thread.ofPlatform().daemon().name("http-names").start(looking);
        try {
            return looking.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException unknown) {
                throw unknown;
            }
            throw new IOException(e.getCause());
        }
    }

    /** Connects to the first address that accepts. */
    static HttpConnection dial(InetAddress[] addresses, HttpOrigin origin) throws IOException {
        IOException failure = new UnknownHostException(origin.hostName());
        for (int i = 0; i < addresses.length; i++) {
            boolean last = i == addresses.length - 1;
            SocketChannel channel = SocketChannel.open();
            try {
                var address = new InetSocketAddress(addresses[i], origin.port());
                channel.socket()
                        .connect(
                                address,
                                last ? CONNECT_MILLIS_MAX : CONNECT_MILLIS_MAX_WITH_ALTERNATIVE);
                return configure(channel.socket(), channel, origin);
            } catch (SocketException | SocketTimeoutException e) {
                channel.close();
                failure = e; // the next address may work
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        }
        throw failure;
    }

    private static HttpConnection tunnel(HttpProxy proxy, HttpOrigin origin)
            throws IOException, InterruptedException {
        InetAddress[] addresses;
        try {
            addresses = lookUp(proxy.host());
        } catch (UnknownHostException e) {
            throw new IOException("the proxy was not found: " + proxy.host(), e);
        }
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(addresses[0], proxy.port()), CONNECT_MILLIS_MAX);
            tune(socket);
            Socket through =
                    proxy.isSecure() ? withTls(socket, proxy.host(), proxy.port()) : socket;
            through.setSoTimeout(CONNECT_MILLIS_MAX);
            proxy.connect(through, origin);
            through.setSoTimeout(0);
            return toConnection(through, null, origin);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static HttpConnection configure(
            Socket socket, @Nullable SocketChannel channel, HttpOrigin origin) throws IOException {
        tune(socket);
        return toConnection(socket, channel, origin);
    }

    private static void tune(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        enableKeepAlive(socket);
    }

    private static HttpConnection toConnection(
            Socket socket, @Nullable SocketChannel channel, HttpOrigin origin) throws IOException {
        return origin.isSecure()
                ? new HttpConnection(withTls(socket, origin.hostName(), origin.port()), null)
                : new HttpConnection(socket, channel);
    }

    /**
     * Enables TCP keep-alive. A stream may be quiet for hours, and a suspended machine or a load
     * balancer may have dropped the connection silently.
     */
    private static void enableKeepAlive(Socket socket) throws IOException {
        socket.setKeepAlive(true);
        setOption(socket, ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS);
        setOption(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_INTERVAL_SECONDS);
        setOption(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_PROBES);
    }

    private static void setOption(Socket socket, SocketOption<Integer> option, int value)
            throws IOException {
        if (socket.supportedOptions().contains(option)) {
            socket.setOption(option, value);
        }
    }

    private static SSLSocket withTls(Socket socket, String host, int port) throws IOException {
        try {
            var factory = SSLContext.getDefault().getSocketFactory();
            var secured = (SSLSocket) factory.createSocket(socket, host, port, true);
            var parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            return secured;
        } catch (NoSuchAlgorithmException e) {
            throw new SSLException("there is none in this run time", e);
        }
    }
}

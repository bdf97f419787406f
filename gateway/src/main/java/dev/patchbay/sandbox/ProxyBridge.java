package dev.patchbay.sandbox;

import dev.patchbay.background.BackgroundLoop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs inside of a sandbox: offers the proxy of the gateway, which is reached over a Unix socket,
 * on a local port, and starts the program with the variables that name this port.
 */
public final class ProxyBridge {
    private static final List<String> PROXY_VARIABLES =
            List.of("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY");

    private ProxyBridge() {}

    /**
     * Starts the program.
     *
     * @param words the path of the socket, then the program and its arguments
     */
    public static Process start(List<String> words) throws IOException {
        Path socket = Path.of(words.getFirst());
        var listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var _ = BackgroundLoop.start("bridge", () -> accept(listener, socket));
        int port = listener.socket().getLocalPort();
        var builder = new ProcessBuilder(words.subList(1, words.size())).inheritIO();
        addProxy(builder.environment(), port);
        return builder.start();
    }

    private static void addProxy(Map<String, String> environment, int port) {
        String url = "http://127.0.0.1:" + port;
        PROXY_VARIABLES.forEach(name -> environment.put(name, url));
        environment.put("NODE_USE_ENV_PROXY", "1");
        environment.remove("NO_PROXY");
        environment.remove("no_proxy");
    }

    private static boolean accept(ServerSocketChannel listener, Path socket) {
        try {
            SocketChannel client = listener.accept();
            Thread.ofVirtual().start(() -> forward(client, socket));
            return true;
        } catch (IOException _) {
            return listener.isOpen();
        }
    }

    private static void forward(SocketChannel client, Path socket) {
        try (client;
                SocketChannel proxy = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            Thread back = Thread.ofVirtual().start(() -> ConnectProxy.copy(proxy, client));
            ConnectProxy.copy(client, proxy);
            back.join();
        } catch (IOException | InterruptedException _) {
            // The program sees that its connection has ended.
        }
    }
}

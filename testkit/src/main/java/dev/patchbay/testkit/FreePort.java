package dev.patchbay.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Ports on which nobody listens, and, where there are such, that nobody is given unasked. */
public final class FreePort {
    /** The ports that the system gives to who asks for any, first and last. */
    private static final Path EPHEMERAL_PORT_RANGE =
            Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    private static final int PORT_MIN = 10_000;
    private static final int TRIES_MAX = 1_000;

    private FreePort() {}

    /** One of them. */
    public static int find() {
        try {
            String[] given = Files.readString(EPHEMERAL_PORT_RANGE).strip().split("\\s+", -1);
            int end = Integer.parseInt(given[0]);
            for (int i = 0; i < TRIES_MAX && end > PORT_MIN; i++) {
                int port = ThreadLocalRandom.current().nextInt(PORT_MIN, end);
                if (isFree(port)) {
                    return port;
                }
            }
            try (var any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return any.getLocalPort();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}

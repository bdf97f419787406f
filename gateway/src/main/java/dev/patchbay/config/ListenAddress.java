package dev.patchbay.config;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The address to listen on: a host and a port. Port 0 selects a free port. */
public record ListenAddress(String host, int port) {
    public static final ListenAddress DEFAULT = new ListenAddress("127.0.0.1", 8808);

    private static final int PORT_MAX = 65_535;
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(\\[[0-9A-Fa-f:.]{2,45}]|[A-Za-z0-9.-]{1,253}):([0-9]{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]{1,3}){3}");

    /** Parses {@code HOST:PORT}, with an IPv6 host in brackets. */
    public static Optional<ListenAddress> parse(String text) {
        var matcher = HOST_AND_PORT.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > PORT_MAX) {
            return Optional.empty();
        }
        String host = matcher.group(1);
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return Optional.of(new ListenAddress(bare, Integer.parseInt(matcher.group(2))));
    }

    /** Whether only programs on this machine can connect. */
    public boolean isLoopback() {
        return isLoopbackHost(host);
    }

    /** Whether a host of an address or a URL is this machine. */
    public static boolean isLoopbackHost(String host) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return LOOPBACK.matcher(bare).matches()
                || Set.of("localhost", "::1", "0:0:0:0:0:0:0:1").contains(bare);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}

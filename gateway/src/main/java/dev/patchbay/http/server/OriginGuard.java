package dev.patchbay.http.server;

import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Rejects requests that a web page tricked a browser into sending (DNS rebinding, cross-site
 * requests): the host must be one of the server's names, and the origin must be the server's own or
 * allowed.
 */
final class OriginGuard {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final Set<String> ownHosts = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    private final Set<String> allowedHosts = new HashSet<>();

    private final Set<String> allowedOrigins = new HashSet<>();

    OriginGuard(HttpSettings settings) {
        InetSocketAddress listen = settings.listen();
        InetAddress address = listen.getAddress();
        if (address != null && !address.isAnyLocalAddress()) {
            ownHosts.add(listen.getHostString().toLowerCase(Locale.ROOT));
            String numbers = address.getHostAddress();
            ownHosts.add(address instanceof Inet6Address ? "[" + numbers + "]" : numbers);
        }
        settings.allowedHosts().forEach(host -> allowedHosts.add(host.toLowerCase(Locale.ROOT)));
        settings.allowedOrigins().forEach(it -> allowedOrigins.add(normalizeOrigin(it)));
    }

    /** An origin in the form that browsers use. */
    private static String normalizeOrigin(String origin) {
        return origin.toLowerCase(Locale.ROOT).replaceAll("/$", "");
    }

    /** Whether a request with these headers is allowed. */
    boolean allows(@Nullable String host, @Nullable String origin) {
        Authority called = host == null ? null : Authority.parse(host, HTTP_PORT);
        if (called == null || !(ownHosts.contains(called.host) || isAllowedHost(called))) {
            return false;
        }
        return origin == null
                || isSameOrigin(origin, called)
                || allowedOrigins.contains(normalizeOrigin(origin));
    }

    private boolean isSameOrigin(String origin, Authority called) {
        int slashes = origin.indexOf("://");
        if (slashes < 0) {
            return false;
        }
        String scheme = origin.substring(0, slashes);
        boolean secure = scheme.equals("https");
        if (!secure && !scheme.equals("http")) {
            return false;
        }
        Authority page =
                Authority.parse(origin.substring(slashes + 3), secure ? HTTPS_PORT : HTTP_PORT);
        if (page == null) {
            return false;
        }
        return isAllowedHost(page)
                || (!secure && ownHosts.contains(page.host) && page.port == called.port);
    }

    private boolean isAllowedHost(Authority authority) {
        return allowedHosts.contains(authority.host)
                || allowedHosts.contains(authority.host + ":" + authority.port);
    }

    /** A host and a port. */
    private record Authority(String host, int port) {
        /** Parses a host with an optional port; null if it is anything else. */
        static @Nullable Authority parse(String text, int defaultPort) {
            int nameEnd = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
            if (nameEnd < 0) {
                nameEnd = text.length();
            }
            String name = text.substring(0, nameEnd).toLowerCase(Locale.ROOT);
            if (name.isEmpty() || !name.chars().allMatch(Authority::isHostCharacter)) {
                return null;
            }
            if (nameEnd == text.length()) {
                return new Authority(name, defaultPort);
            }
            int port = text.charAt(nameEnd) == ':' ? port(text.substring(nameEnd + 1)) : -1;
            return port < 0 ? null : new Authority(name, port);
        }

        private static boolean isHostCharacter(int c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "-._:[]".indexOf(c) >= 0;
        }

        private static int port(String digits) {
            if (digits.isEmpty() || digits.length() > 5) {
                return -1;
            }
            int port = 0;
            for (int i = 0; i < digits.length(); i++) {
                int digit = digits.charAt(i) - '0';
                if (digit < 0 || digit > 9) {
                    return -1;
                }
                port = port * 10 + digit;
            }
            return port;
        }
    }
}

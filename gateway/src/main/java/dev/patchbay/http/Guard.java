package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Tells requests that were meant for this server from those a web page tricked a browser into: the
 * name it was called by must be one of its own, and so must the origin of the page, if there is one
 * and it was not allowed by name.
 */
final class Guard {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final Set<String> own = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    private final Set<String> more = new HashSet<>();

    private final Set<String> origins = new HashSet<>();

    Guard(HttpSettings settings) {
        InetSocketAddress listen = settings.listen();
        InetAddress address = listen.getAddress();
        if (address != null && !address.isAnyLocalAddress()) {
            own.add(listen.getHostString().toLowerCase(Locale.ROOT));
            String numbers = address.getHostAddress();
            own.add(address instanceof Inet6Address ? "[" + numbers + "]" : numbers);
        }
        settings.hosts().forEach(host -> more.add(host.toLowerCase(Locale.ROOT)));
        settings.origins().forEach(it -> origins.add(plain(it)));
    }

    /** An origin as browsers write it. */
    private static String plain(String origin) {
        return origin.toLowerCase(Locale.ROOT).replaceAll("/$", "");
    }

    /** Whether a request with these headers is meant for us. */
    boolean admits(@Nullable String host, @Nullable String origin) {
        Authority called = host == null ? null : Authority.of(host, HTTP_PORT);
        if (called == null || !(own.contains(called.name) || isMore(called))) {
            return false;
        }
        return origin == null || admitsOrigin(origin, called) || origins.contains(plain(origin));
    }

    private boolean admitsOrigin(String origin, Authority called) {
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
                Authority.of(origin.substring(slashes + 3), secure ? HTTPS_PORT : HTTP_PORT);
        if (page == null) {
            return false;
        }
        return isMore(page) || (!secure && own.contains(page.name) && page.port == called.port);
    }

    private boolean isMore(Authority authority) {
        return more.contains(authority.name)
                || more.contains(authority.name + ":" + authority.port);
    }

    /** A host and a port. */
    private record Authority(String name, int port) {
        /** What a text is; null if it is anything but a host with or without a port. */
        static @Nullable Authority of(String text, int defaultPort) {
            int nameEnd = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
            if (nameEnd < 0) {
                nameEnd = text.length();
            }
            String name = text.substring(0, nameEnd).toLowerCase(Locale.ROOT);
            if (name.isEmpty() || !name.chars().allMatch(Authority::isInName)) {
                return null;
            }
            if (nameEnd == text.length()) {
                return new Authority(name, defaultPort);
            }
            int port = text.charAt(nameEnd) == ':' ? port(text.substring(nameEnd + 1)) : -1;
            return port < 0 ? null : new Authority(name, port);
        }

        private static boolean isInName(int c) {
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

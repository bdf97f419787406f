package dev.patchbay.oauth;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Decides which URLs a server may name for a sign-in: those whose scope is at least as wide as the
 * server's own. A public server cannot make the gateway contact this machine or its network, and
 * only this machine is contacted without TLS.
 *
 * <p>A host may have several addresses. The widest one determines the scope of the host, every one
 * must be allowed, and the request is sent to exactly the addresses that were checked.
 */
final class UrlPolicy {
    /**
     * A URL that may be contacted.
     *
     * @param addresses the addresses that were checked; empty if a proxy resolves the name
     */
    record CheckedUrl(URI url, List<InetAddress> addresses) {
        CheckedUrl {
            addresses = List.copyOf(addresses);
        }
    }

    /** Finds the addresses of a host. */
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    private final AddressScope serverScope;
    private final CheckedUrl server;
    private final Resolver resolver;

    private UrlPolicy(AddressScope serverScope, CheckedUrl server, Resolver resolver) {
        this.serverScope = serverScope;
        this.server = server;
        this.resolver = resolver;
    }

    /** The policy for a server, whose tokens must not be sent unencrypted over a public network. */
    static UrlPolicy forServer(URI server) throws SignInFailed {
        return forServer(server, InetAddress::getAllByName);
    }

    static UrlPolicy forServer(URI server, Resolver resolver) throws SignInFailed {
        List<InetAddress> addresses = addressesOf(server, resolver);
        AddressScope scope = widest(addresses);
        if (scope == AddressScope.PUBLIC && !isHttps(server)) {
            throw new SignInFailed(
                    "The URL is http, so tokens would be sent unencrypted. Use https");
        }
        return new UrlPolicy(scope, checked(server, addresses), resolver);
    }

    /** The server itself. */
    CheckedUrl server() {
        return server;
    }

    /** Parses and checks a URL that the server or its authorization server named. */
    CheckedUrl requireAllowed(String text) throws SignInFailed {
        URI url = parseHttpUrl(text);
        if (url == null) {
            throw new SignInFailed(
                    "The server names a URL that is not http or https: " + printable(text));
        }
        List<InetAddress> addresses = addressesOf(url, resolver);
        AddressScope narrowest = narrowest(addresses);
        if (narrowest == AddressScope.FORBIDDEN || narrowest.compareTo(serverScope) < 0) {
            throw new SignInFailed(
                    "The server refers to "
                            + printable(url)
                            + ", which is not allowed for its address");
        }
        if (!isHttps(url) && widest(addresses) != AddressScope.LOOPBACK) {
            throw new SignInFailed(
                    "The server refers to " + printable(url) + ", which does not use TLS");
        }
        return checked(url, addresses);
    }

    private static CheckedUrl checked(URI url, List<InetAddress> addresses) {
        return new CheckedUrl(url, HttpFetcher.isProxied(url) ? List.of() : addresses);
    }

    private static @Nullable URI parseHttpUrl(String text) {
        try {
            var url = new URI(text);
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            boolean http = scheme.equals("https") || scheme.equals("http");
            boolean plain = url.getRawUserInfo() == null && url.getRawFragment() == null;
            return http && plain && url.getHost() != null ? new URI(url.toASCIIString()) : null;
        } catch (URISyntaxException _) {
            return null;
        }
    }

    private static boolean isHttps(URI url) {
        return "https".equalsIgnoreCase(url.getScheme());
    }

    /** The addresses of a URL's host; empty if only a proxy can resolve it. */
    private static List<InetAddress> addressesOf(URI url, Resolver resolver) throws SignInFailed {
        String host = url.getHost() == null ? "" : url.getHost().replaceAll("[\\[\\]]", "");
        try {
            return List.of(resolver.resolve(host));
        } catch (UnknownHostException _) {
            if (HttpFetcher.isProxied(url)) {
                return List.of(); // a name that only the proxy can resolve
            }
            throw new SignInFailed("Host not found: " + printable(host));
        }
    }

    private static AddressScope widest(List<InetAddress> addresses) {
        return addresses.stream()
                .map(AddressScope::of)
                .max(Comparator.naturalOrder())
                .orElse(AddressScope.PUBLIC);
    }

    private static AddressScope narrowest(List<InetAddress> addresses) {
        return addresses.stream()
                .map(AddressScope::of)
                .min(Comparator.naturalOrder())
                .orElse(AddressScope.PUBLIC);
    }

    private static String printable(String text) {
        return DisplayText.message(text);
    }

    /** A URL without the parts that may be secret. */
    private static String printable(URI url) {
        return DisplayText.message(url.getScheme() + "://" + url.getAuthority());
    }
}

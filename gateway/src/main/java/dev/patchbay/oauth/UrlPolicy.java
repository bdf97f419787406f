package dev.patchbay.oauth;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * Where a server may send us to sign in: to addresses that reach as far as its own does. A public
 * one cannot have us ask this machine or its network; only this machine is spoken to without TLS.
 *
 * <p>The name is looked up here and again for the connection. The JVM keeps what it found for half
 * a minute, so that both see the same address.
 */
final class UrlPolicy {
    private final AddressScope serverScope;

    private UrlPolicy(AddressScope reach) {
        this.serverScope = reach;
    }

    /** The places for a server. */
    static UrlPolicy forServer(URI server) throws SignInFailed {
        return new UrlPolicy(scopeOf(server));
    }

    /** The URL that a text is, if we may go there. */
    URI requireAllowed(String text) throws SignInFailed {
        URI url = parseHttpUrl(text);
        if (url == null) {
            throw new SignInFailed(
                    "It names a place that is no URL of http or https: " + printable(text));
        }
        AddressScope kind = scopeOf(url);
        boolean near = kind.compareTo(serverScope) < 0;
        if (kind == AddressScope.FORBIDDEN || near) {
            throw new SignInFailed(
                    "It sends us to " + printable(url) + ", which is not for it to send us to");
        }
        if (!url.getScheme().equalsIgnoreCase("https") && kind != AddressScope.LOOPBACK) {
            throw new SignInFailed("It sends us to " + printable(url) + ", where there is no TLS");
        }
        return url;
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

    /** The narrowest kind of all addresses that the host of a URL has. */
    private static AddressScope scopeOf(URI url) throws SignInFailed {
        String host = url.getHost() == null ? "" : url.getHost().replaceAll("[\\[\\]]", "");
        try {
            AddressScope narrowest = AddressScope.PUBLIC;
            for (InetAddress address : InetAddress.getAllByName(host)) {
                AddressScope kind = AddressScope.of(address);
                narrowest = kind.compareTo(narrowest) < 0 ? kind : narrowest;
            }
            return narrowest;
        } catch (UnknownHostException _) {
            if (HttpFetcher.isProxied(url)) {
                return AddressScope.PUBLIC; // a name of the world beyond the proxy
            }
            throw new SignInFailed("There is no address for " + printable(host));
        }
    }

    private static String printable(String text) {
        return DisplayText.message(text);
    }

    /** A URL without what may be a secret in it. */
    private static String printable(URI url) {
        return DisplayText.message(url.getScheme() + "://" + url.getAuthority());
    }
}

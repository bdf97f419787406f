package dev.patchbay.oauth;

import dev.patchbay.http.Fetch;

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
final class Places {
    private final AddressKind reach;

    private Places(AddressKind reach) {
        this.reach = reach;
    }

    /** The places for a server. */
    static Places around(URI server) throws SignInFailed {
        return new Places(kind(server));
    }

    /** The URL that a text is, if we may go there. */
    URI checked(String text) throws SignInFailed {
        URI url = parsed(text);
        if (url == null) {
            throw new SignInFailed(
                    "It names a place that is no URL of http or https: " + shown(text));
        }
        AddressKind kind = kind(url);
        boolean near = kind.compareTo(reach) < 0;
        if (kind == AddressKind.NOWHERE || near) {
            throw new SignInFailed(
                    "It sends us to " + shown(url) + ", which is not for it to send us to");
        }
        if (!url.getScheme().equalsIgnoreCase("https") && kind != AddressKind.LOOPBACK) {
            throw new SignInFailed("It sends us to " + shown(url) + ", where there is no TLS");
        }
        return url;
    }

    private static @Nullable URI parsed(String text) {
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
    private static AddressKind kind(URI url) throws SignInFailed {
        String host = url.getHost() == null ? "" : url.getHost().replaceAll("[\\[\\]]", "");
        try {
            AddressKind narrowest = AddressKind.PUBLIC;
            for (InetAddress address : InetAddress.getAllByName(host)) {
                AddressKind kind = AddressKind.of(address);
                narrowest = kind.compareTo(narrowest) < 0 ? kind : narrowest;
            }
            return narrowest;
        } catch (UnknownHostException _) {
            if (Fetch.isProxied(url)) {
                return AddressKind.PUBLIC; // a name of the world beyond the proxy
            }
            throw new SignInFailed("There is no address for " + shown(host));
        }
    }

    private static String shown(String text) {
        return Shown.of(text);
    }

    /** A URL without what may be a secret in it. */
    private static String shown(URI url) {
        return Shown.of(url.getScheme() + "://" + url.getAuthority());
    }
}

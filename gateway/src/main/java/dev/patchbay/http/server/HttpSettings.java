package dev.patchbay.http.server;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Settings of the HTTP server.
 *
 * @param allowedHosts host names besides loopback and the listen address
 * @param allowedOrigins origins of pages that may send requests, with scheme and host
 */
public record HttpSettings(
        InetSocketAddress listen,
        TokenAuthenticator authenticator,
        Set<String> allowedHosts,
        Set<String> allowedOrigins,
        HttpLimits limits) {
    public HttpSettings {
        allowedHosts = Set.copyOf(allowedHosts);
        allowedOrigins = Set.copyOf(allowedOrigins);
    }

    public static HttpSettings of(InetSocketAddress listen, TokenAuthenticator access) {
        return new HttpSettings(listen, access, Set.of(), Set.of(), HttpLimits.DEFAULTS);
    }
}

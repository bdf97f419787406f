package dev.patchbay.http.server;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Where and for whom the HTTP server serves.
 *
 * @param allowedHosts names under which it may be reached besides loopback and the listen address
 * @param allowedOrigins origins of pages that may call it besides its own, with scheme and host
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

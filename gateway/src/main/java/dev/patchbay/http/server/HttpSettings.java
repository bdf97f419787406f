package dev.patchbay.http.server;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;

/**
 * Where and for whom the HTTP server serves.
 *
 * @param allowedHosts names under which it may be reached besides loopback and the listen address
 * @param allowedOrigins origins of pages that may call it besides its own, with scheme and host
 * @param sessionFolder where legacy sessions are kept for the next process; null to keep none
 */
public record HttpSettings(
        InetSocketAddress listen,
        TokenAuthenticator authenticator,
        Set<String> allowedHosts,
        Set<String> allowedOrigins,
        HttpLimits limits,
        @Nullable Path sessionFolder) {
    public HttpSettings {
        allowedHosts = Set.copyOf(allowedHosts);
        allowedOrigins = Set.copyOf(allowedOrigins);
    }

    public static HttpSettings of(InetSocketAddress listen, TokenAuthenticator access) {
        return new HttpSettings(listen, access, Set.of(), Set.of(), HttpLimits.DEFAULTS, null);
    }
}

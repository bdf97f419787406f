package dev.patchbay.http;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Where and for whom the HTTP server serves.
 *
 * @param hosts names under which it may be reached besides loopback and the listen address
 * @param origins origins of pages that may call it besides its own, with scheme and host
 */
public record HttpSettings(
        InetSocketAddress listen,
        Access access,
        Set<String> hosts,
        Set<String> origins,
        HttpLimits limits) {
    public HttpSettings {
        hosts = Set.copyOf(hosts);
        origins = Set.copyOf(origins);
    }

    public static HttpSettings of(InetSocketAddress listen, Access access) {
        return new HttpSettings(listen, access, Set.of(), Set.of(), HttpLimits.DEFAULTS);
    }
}

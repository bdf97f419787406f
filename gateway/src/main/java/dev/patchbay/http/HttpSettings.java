package dev.patchbay.http;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Where and for whom the HTTP server serves.
 *
 * @param hosts names under which it may be reached besides loopback and the listen address
 */
public record HttpSettings(
        InetSocketAddress listen, Access access, Set<String> hosts, HttpLimits limits) {
    public HttpSettings {
        hosts = Set.copyOf(hosts);
    }

    public static HttpSettings of(InetSocketAddress listen, Access access) {
        return new HttpSettings(listen, access, Set.of(), HttpLimits.DEFAULTS);
    }
}

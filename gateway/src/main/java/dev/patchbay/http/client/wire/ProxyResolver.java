package dev.patchbay.http.client.wire;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Selects the proxy for a server: from the JVM's options, else from the usual variables. This
 * machine is never reached through a proxy.
 */
public final class ProxyResolver {
    private static final int PORT_DEFAULT = 80;

    private ProxyResolver() {}

    public static Proxy resolve(URI url) {
        ProxySelector selector = ProxySelector.getDefault();
        Proxy chosen = selector == null ? Proxy.NO_PROXY : selector.select(url).getFirst();
        return chosen.type() == Proxy.Type.HTTP ? chosen : resolve(url, System.getenv());
    }

    /** The proxy of the variables. */
    static Proxy resolve(URI url, Map<String, String> environment) {
        HttpOrigin origin = HttpOrigin.of(url);
        if (isLoopback(origin.hostName()) || isExcluded(origin, environment)) {
            return Proxy.NO_PROXY;
        }
        String kind = origin.isSecure() ? "HTTPS_PROXY" : "HTTP_PROXY";
        return Stream.of(kind, "ALL_PROXY")
                .flatMap(name -> value(name, environment).stream())
                .findFirst()
                .flatMap(ProxyResolver::parseProxy)
                .orElse(Proxy.NO_PROXY);
    }

    private static Optional<String> value(String name, Map<String, String> environment) {
        return Stream.of(name.toLowerCase(Locale.ROOT), name)
                .map(each -> environment.getOrDefault(each, "").strip())
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    /** Whether {@code NO_PROXY} contains the host, one of its domains, or everything. */
    private static boolean isExcluded(HttpOrigin origin, Map<String, String> environment) {
        String host = "." + origin.hostName();
        String list = value("NO_PROXY", environment).orElse("").toLowerCase(Locale.ROOT);
        return Stream.of(list.split("[,\\s]+", -1))
                .map(entry -> entry.startsWith("*.") ? entry.substring(1) : entry)
                .filter(entry -> !entry.isEmpty())
                .anyMatch(
                        entry -> {
                            String domain = entry.startsWith(".") ? entry : "." + entry;
                            return entry.equals("*")
                                    || host.endsWith(domain)
                                    || (host + ":" + origin.port()).endsWith(domain);
                        });
    }

    /** Parses a proxy, with or without a scheme; empty if it is of another kind. */
    private static Optional<Proxy> parseProxy(String text) {
        try {
            var url = new URI(text.contains("://") ? text : "http://" + text);
            if (!"http".equals(url.getScheme()) || url.getHost() == null) {
                return Optional.empty();
            }
            int port = url.getPort() < 0 ? PORT_DEFAULT : url.getPort();
            String host = url.getHost().replaceAll("[\\[\\]]", "");
            return Optional.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(host, port)));
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }
}

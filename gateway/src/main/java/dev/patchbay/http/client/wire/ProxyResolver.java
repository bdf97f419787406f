package dev.patchbay.http.client.wire;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
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
    private static final int SECURE_PORT_DEFAULT = 443;

    private ProxyResolver() {}

    /** Whether a URL is reached through a proxy. */
    public static boolean isProxied(URI url) {
        return resolve(url) != null;
    }

    /** The proxy for a URL; null for none. */
    static @Nullable HttpProxy resolve(URI url) {
        ProxySelector selector = ProxySelector.getDefault();
        Proxy chosen = selector == null ? Proxy.NO_PROXY : selector.select(url).getFirst();
        return chosen.type() == Proxy.Type.HTTP
                        && chosen.address() instanceof InetSocketAddress address
                ? new HttpProxy(address.getHostString(), address.getPort(), false, "")
                : resolve(url, System.getenv());
    }

    /** The proxy of the variables; null for none. */
    static @Nullable HttpProxy resolve(URI url, Map<String, String> environment) {
        HttpOrigin origin = HttpOrigin.of(url);
        if (isLoopback(origin.hostName()) || isExcluded(origin, environment)) {
            return null;
        }
        String kind = origin.isSecure() ? "HTTPS_PROXY" : "HTTP_PROXY";
        return Stream.of(kind, "ALL_PROXY")
                .flatMap(name -> value(name, environment).stream())
                .findFirst()
                .flatMap(ProxyResolver::parseProxy)
                .orElse(null);
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
    private static Optional<HttpProxy> parseProxy(String text) {
        try {
            var url = new URI(text.contains("://") ? text : "http://" + text);
            boolean isSecure = "https".equals(url.getScheme());
            if (!(isSecure || "http".equals(url.getScheme())) || url.getHost() == null) {
                return Optional.empty();
            }
            int usual = isSecure ? SECURE_PORT_DEFAULT : PORT_DEFAULT;
            int port = url.getPort() < 0 ? usual : url.getPort();
            String host = url.getHost().replaceAll("[\\[\\]]", "");
            return Optional.of(new HttpProxy(host, port, isSecure, credentials(url)));
        } catch (URISyntaxException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** The user and the password; a plus sign is a plus sign here. */
    private static String credentials(URI url) {
        String info = url.getRawUserInfo();
        return info == null
                ? ""
                : URLDecoder.decode(info.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}

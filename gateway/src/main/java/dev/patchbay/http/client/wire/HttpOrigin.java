package dev.patchbay.http.client.wire;

import java.net.URI;
import java.util.Locale;

/** The scheme, host and port of a server, for which connections are shared. */
record HttpOrigin(boolean isSecure, String host, int port) {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    static HttpOrigin of(URI url) {
        boolean secure = "https".equalsIgnoreCase(url.getScheme());
        int usual = secure ? HTTPS_PORT : HTTP_PORT;
        int port = url.getPort() < 0 ? usual : url.getPort();
        return new HttpOrigin(secure, String.valueOf(url.getHost()).toLowerCase(Locale.ROOT), port);
    }

    /** The host without the brackets of an IPv6 address. */
    String hostName() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The value of the {@code Host} header. */
    String authority() {
        return port == (isSecure ? HTTPS_PORT : HTTP_PORT) ? host : host + ":" + port;
    }
}

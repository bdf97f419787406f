package dev.patchbay.http.client.wire;

import java.net.URI;
import java.util.Locale;

/** Where connections to a server lead: those of one origin serve all its addresses. */
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

    /** As the header {@code Host} has it. */
    String authority() {
        return port == (isSecure ? HTTPS_PORT : HTTP_PORT) ? host : host + ":" + port;
    }
}

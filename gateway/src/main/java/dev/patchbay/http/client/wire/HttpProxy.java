package dev.patchbay.http.client.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * An HTTP proxy, through which connections are tunnelled. Its text omits the password.
 *
 * @param isSecure whether the connection to the proxy itself uses TLS
 * @param credentials the user and the password, with a colon between them; empty for none
 */
record HttpProxy(String host, int port, boolean isSecure, String credentials) {
    private static final int HEAD_BYTES_MAX = 16 * 1024;
    private static final int PASSWORD_REQUIRED = 407;

    /** Lets the proxy connect to an origin. Afterwards the socket leads to that origin. */
    void connect(Socket socket, HttpOrigin origin) throws IOException {
        String name = origin.hostName();
        String target = (name.contains(":") ? "[" + name + "]" : name) + ":" + origin.port();
        var request = new StringBuilder("CONNECT ").append(target).append(" HTTP/1.1\r\n");
        request.append("Host: ").append(target).append("\r\n");
        if (!credentials.isEmpty()) {
            byte[] pair = credentials.getBytes(StandardCharsets.UTF_8);
            request.append("Proxy-Authorization: Basic ")
                    .append(Base64.getEncoder().encodeToString(pair))
                    .append("\r\n");
        }
        socket.getOutputStream()
                .write(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        int status = status(readHead(socket.getInputStream()));
        if (status == PASSWORD_REQUIRED) {
            throw new IOException(
                    credentials.isEmpty()
                            ? "the proxy answered HTTP 407: write its user and password into the"
                                    + " variable, as in http://user:password@host:port"
                            : "the proxy answered HTTP 407: it does not accept the user and the"
                                    + " password in the variable");
        }
        if (status < 200 || status > 299) {
            throw new IOException("the proxy answered HTTP " + status);
        }
    }

    /** Reads byte by byte, because what follows the head belongs to the origin. */
    private static String readHead(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.length() < HEAD_BYTES_MAX) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the proxy closed the connection");
            }
            head.append((char) next);
            if (next == '\n' && (endsWith(head, "\r\n\r\n") || endsWith(head, "\n\n"))) {
                return head.toString();
            }
        }
        throw new IOException("the response of the proxy is too long");
    }

    private static boolean endsWith(StringBuilder text, String end) {
        int from = text.length() - end.length();
        return from >= 0 && text.indexOf(end, from) == from;
    }

    private static int status(String head) throws IOException {
        int space = head.indexOf(' ');
        if (head.startsWith("HTTP/1.") && space > 0 && head.length() > space + 4) {
            int status = 0;
            for (char digit : head.substring(space + 1, space + 4).toCharArray()) {
                status = digit < '0' || digit > '9' ? -1000 : status * 10 + digit - '0';
            }
            if (status > 0) {
                return status;
            }
        }
        throw new IOException("the proxy does not speak HTTP/1.1");
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}

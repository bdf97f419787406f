package dev.patchbay.http.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.client.ProbeResult.Answered;
import dev.patchbay.http.client.ProbeResult.ConnectTimeout;
import dev.patchbay.http.client.ProbeResult.ConnectionRefused;
import dev.patchbay.http.client.ProbeResult.Disconnected;
import dev.patchbay.http.client.ProbeResult.ResponseTimeout;
import dev.patchbay.http.client.ProbeResult.TlsFailed;
import dev.patchbay.http.client.ProbeResult.TlsRequired;
import dev.patchbay.http.client.ProbeResult.UnknownHost;
import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.http.client.wire.ProxyResolver;
import dev.patchbay.http.client.wire.SocketHttpSender;
import dev.patchbay.text.DisplayText;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Probes a URL: host name, port, TLS, and the response to one harmless request. Nothing is sent
 * over an untrusted connection.
 */
public final class UrlProbe {
    private static final byte[] PING =
            "{\"jsonrpc\":\"2.0\",\"id\":\"doctor\",\"method\":\"ping\"}"
                    .getBytes(StandardCharsets.UTF_8);

    private final HttpChannel.Target target;
    private final int timeoutMillis;

    public UrlProbe(HttpChannel.Target target, Duration patience) {
        this.target = target;
        this.timeoutMillis = (int) patience.toMillis();
    }

    /** Runs the probe, with a timeout for each step. */
    public ProbeResult probe() throws InterruptedException {
        URI url = target.url();
        String host = url.getHost() == null ? "" : url.getHost().replaceAll("[\\[\\]]", "");
        if (ProxyResolver.isProxied(url)) {
            return sendPing(); // only the proxy sees the host and the port
        }
        try {
            var address = new InetSocketAddress(InetAddress.getByName(host), port(url));
            boolean tls = "https".equals(url.getScheme());
            Optional<ProbeResult> blocked =
                    tls ? connectWithTls(host, address) : connect(new Socket(), address);
            ProbeResult reach = blocked.isPresent() ? blocked.get() : sendPing();
            return tls || blocked.isPresent() ? reach : orTlsRequired(reach, host, address);
        } catch (UnknownHostException _) {
            return new UnknownHost(host);
        }
    }

    /** A TLS server contacted in plain text closes the connection or answers 400. */
    private ProbeResult orTlsRequired(ProbeResult reach, String host, InetSocketAddress address) {
        boolean strange =
                switch (reach) {
                    case Disconnected _ -> true;
                    case Answered answer ->
                            answer.status() == 400 && !answer.type().equals(AcceptHeader.JSON);
                    case ConnectionRefused _,
                            ConnectTimeout _,
                            ResponseTimeout _,
                            TlsFailed _,
                            TlsRequired _,
                            UnknownHost _ ->
                            false;
                };
        String certificate = strange ? certificate(host, address) : "";
        return certificate.isEmpty() ? reach : new TlsRequired(certificate);
    }

    private static int port(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return "https".equals(url.getScheme()) ? 443 : 80;
    }

    /** Opens a connection; returns the failure. */
    private Optional<ProbeResult> connect(Socket socket, InetSocketAddress address) {
        try (socket) {
            open(socket, address);
            return Optional.empty();
        } catch (ConnectException | NoRouteToHostException e) {
            return Optional.of(
                    new ConnectionRefused(describe(address), String.valueOf(e.getMessage())));
        } catch (SocketTimeoutException _) {
            return Optional.of(new ConnectTimeout(describe(address)));
        } catch (IOException e) {
            return Optional.of(new Disconnected(String.valueOf(e.getMessage())));
        }
    }

    private void open(Socket socket, InetSocketAddress address) throws IOException {
        socket.connect(address, timeoutMillis);
        socket.setSoTimeout(timeoutMillis);
    }

    private static String describe(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /** Opens a TLS connection as requests do; returns the failure. */
    private Optional<ProbeResult> connectWithTls(String host, InetSocketAddress address) {
        Optional<ProbeResult> closed = connect(new Socket(), address);
        if (closed.isPresent()) {
            return closed;
        }
        try {
            handshake(SSLContext.getDefault(), host, address, true);
            return Optional.empty();
        } catch (SSLException e) {
            return Optional.of(new TlsFailed(rootMessage(e), certificate(host, address)));
        } catch (SocketTimeoutException _) {
            return Optional.of(new TlsFailed("no response to the TLS handshake", ""));
        } catch (IOException | GeneralSecurityException e) {
            return Optional.of(new TlsFailed(String.valueOf(e.getMessage()), ""));
        }
    }

    private void handshake(
            SSLContext context, String host, InetSocketAddress address, boolean checked)
            throws IOException {
        try (var plain = new Socket()) {
            open(plain, address);
            var factory = context.getSocketFactory();
            try (var socket =
                    (SSLSocket) factory.createSocket(plain, host, address.getPort(), true)) {
                if (checked) {
                    var parameters = socket.getSSLParameters();
                    parameters.setEndpointIdentificationAlgorithm("HTTPS");
                    socket.setSSLParameters(parameters);
                }
                socket.startHandshake();
            }
        }
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    /** A description of the rejected certificate; empty if there is none. */
    private String certificate(String host, InetSocketAddress address) {
        try {
            var look = new CertificateRecorder();
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {look}, null);
            try {
                handshake(context, host, address, false);
            } catch (IOException _) {
                // Only the certificate was wanted.
            }
            return look.certificate;
        } catch (GeneralSecurityException _) {
            return "";
        }
    }

    /** Sends one request without effects; any response counts. */
    private ProbeResult sendPing() throws InterruptedException {
        var asking = new FutureTask<>(this::send);
        Thread thread = Thread.ofVirtual().name("probe").start(asking);
        try {
            return asking.get(timeoutMillis, MILLISECONDS);
        } catch (TimeoutException _) {
            thread.interrupt();
            return new ResponseTimeout(String.valueOf(target.url().getHost()));
        } catch (ExecutionException e) {
            return new Disconnected(
                    String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
        }
    }

    private ProbeResult send() throws IOException, InterruptedException {
        boolean get = target.usesSseTransport();
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(target.headers());
        headers.put(
                "Accept",
                get ? AcceptHeader.EVENTS : AcceptHeader.JSON + ", " + AcceptHeader.EVENTS);
        if (!get) {
            headers.put("Content-Type", AcceptHeader.JSON);
        }
        var body = new HttpSender.RequestBody(get ? new byte[0] : PING);
        var ask = new HttpSender.Request(get ? "GET" : "POST", target.url(), headers, body);
        try (HttpSender.Response answer = new SocketHttpSender().send(ask)) {
            boolean streams = ResponseInspector.mediaType(answer).equals(AcceptHeader.EVENTS);
            byte[] start = streams ? new byte[0] : ResponseInspector.readErrorBody(answer);
            return new Answered(
                    answer.status(),
                    ResponseInspector.mediaType(answer),
                    DisplayText.message(answer.joinedHeader("WWW-Authenticate")),
                    header(answer, "Location"),
                    DisplayText.excerpt(start));
        }
    }

    private static String header(HttpSender.Response answer, String name) {
        String value = answer.header(name);
        return value == null ? "" : DisplayText.message(value);
    }

    /** Records a certificate and rejects it, so that nothing is sent. */
    private static final class CertificateRecorder extends X509ExtendedTrustManager {
        private String certificate = "";

        private void recordAndReject(X509Certificate[] chain) throws CertificateException {
            X509Certificate shown = chain[0];
            String text =
                    "for %s, by %s, valid from %s to %s"
                            .formatted(
                                    shown.getSubjectX500Principal(),
                                    shown.getIssuerX500Principal(),
                                    shown.getNotBefore().toInstant(),
                                    shown.getNotAfter().toInstant());
            certificate = DisplayText.message(text);
            throw new CertificateException("only looked at");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            recordAndReject(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            recordAndReject(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            recordAndReject(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            recordAndReject(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            recordAndReject(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            recordAndReject(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}

package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * TLS servers with invalid certificates: nothing is sent to them, and there is no fallback to plain
 * text. A server with a valid certificate works.
 */
class HttpTlsFaultTest {
    private static final String PASSWORD = "not-secret";

    @TempDir private static Path folder;
    private static TestHost host;
    private static final List<TlsServer> tlsServers = new ArrayList<>();

    @BeforeAll
    static void open() throws Exception {
        Path trusted = folder.resolve("trusted.p12");
        KeyStore keys = createKeyStore();
        var trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("authority", keys.getCertificate("authority"));
        try (var out = Files.newOutputStream(trusted)) {
            trust.store(out, PASSWORD.toCharArray());
        }
        var installation = new TestInstallation(folder);
        for (String kind : List.of("good", "expired", "stranger", "elsewhere")) {
            var presenter = new TlsServer(kind, keys);
            tlsServers.add(presenter);
            String entry =
                    "{\"url\": \"https://localhost:%d/mcp\", \"maxRetries\": 0}"
                            .formatted(presenter.port());
            installation.withServer(kind, entry);
        }
        // The server with a valid certificate is also a proxy, for a host that does not exist.
        installation.env("HTTP_PROXY", "https://localhost:" + tlsServers.getFirst().port());
        installation.withServer("far", "{\"url\": \"http://far.invalid/mcp\"}");
        installation.env(
                "JAVA_TOOL_OPTIONS",
                "-Djavax.net.ssl.trustStore=%s -Djavax.net.ssl.trustStorePassword=%s"
                        .formatted(trusted, PASSWORD));
        host = installation.save().connect();
    }

    @AfterAll
    static void close() throws Exception {
        host.close();
        for (TlsServer presenter : tlsServers) {
            presenter.close();
        }
    }

    /** A key for each server, with a certificate that has the fault of its name. */
    private static KeyStore createKeyStore() throws Exception {
        createKey("authority", "CN=authority", "-ext bc:c");
        createKey("good", "CN=localhost", "-signer authority");
        createKey("expired", "CN=localhost", "-signer authority -startdate -20d");
        createKey("elsewhere", "CN=other.example", "-signer authority");
        createKey("stranger", "CN=localhost", "");
        return KeyStore.getInstance(folder.resolve("keys.p12").toFile(), PASSWORD.toCharArray());
    }

    private static void createKey(String alias, String name, String more) throws Exception {
        String options =
                "-genkeypair -keyalg EC -alias %s -dname %s -ext SAN=dns:%s -validity 10 %s"
                        .formatted(alias, name, name.substring(3), more);
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(options.strip().split(" ")));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of("-keystore", folder.resolve("keys.p12").toString()));
        Path log = folder.resolve("keytool.txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    }

    @Test
    void serverWithAValidCertificateIsUsed() throws Exception {
        host.awaitStatus("good", "connected");
        assertThat(host.callForText("good.echo", "{}")).isEqualTo("hello");
        assertThat(tlsServer("good").bytes).hasPositiveValue();
    }

    @Test
    void proxyOverTlsIsUsed() throws Exception {
        host.awaitStatus("far", "connected");
        assertThat(host.callForText("far.echo", "{}")).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"expired", "stranger", "elsewhere"})
    void serverWithAnInvalidCertificateIsSentNothing(String kind) throws Exception {
        host.awaitError(kind, "TLS failed");
        assertThat(host.status(kind)).isEqualTo("error");
        assertThat(tlsServer(kind).connections).hasPositiveValue();
        assertThat(tlsServer(kind).bytes).hasValue(0);
    }

    private static TlsServer tlsServer(String kind) {
        return tlsServers.stream().filter(it -> it.kind.equals(kind)).findFirst().orElseThrow();
    }

    /** A TLS server with a given certificate that counts the bytes it receives. */
    private static final class TlsServer implements AutoCloseable {
        private final String kind;
        private final SSLServerSocket listener;
        private final AtomicLong connections = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        TlsServer(String kind, KeyStore all) throws Exception {
            this.kind = kind;
            char[] password = PASSWORD.toCharArray();
            var own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            own.setKeyEntry(
                    kind, all.getKey(kind, password), password, all.getCertificateChain(kind));
            var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(own, password);
            var context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            listener =
                    (SSLServerSocket)
                            context.getServerSocketFactory()
                                    .createServerSocket(0, 50, InetAddress.getByName("localhost"));
            Thread.ofVirtual().start(this::accept);
        }

        int port() {
            return listener.getLocalPort();
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    connections.incrementAndGet();
                    Thread.ofVirtual().start(() -> serve(socket));
                }
            } catch (IOException _) {
                // It was closed.
            }
        }

        private void serve(Socket socket) {
            try (socket) {
                InputStream in = socket.getInputStream();
                byte[] buffer = new byte[64 * 1024];
                for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                    bytes.addAndGet(count);
                    String text = new String(buffer, 0, count, StandardCharsets.UTF_8);
                    while (!text.startsWith("POST") || !text.endsWith("}")) {
                        if (text.startsWith("GET")
                                || text.startsWith("DELETE")
                                || text.startsWith("CONNECT")) {
                            break;
                        }
                        count = in.read(buffer);
                        text += new String(buffer, 0, count, StandardCharsets.UTF_8);
                    }
                    socket.getOutputStream().write(answer(text).getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException | RuntimeException _) {
                // The client is gone, or does not trust us.
            }
        }

        private static String answer(String request) {
            if (request.startsWith("CONNECT far.invalid:80 ")) {
                return "HTTP/1.1 200 Connected\r\n\r\n"; // and the host is this server
            }
            if (!request.startsWith("POST") || !request.contains("\"id\":")) {
                int status = request.startsWith("POST") ? 202 : 405;
                return "HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n\r\n";
            }
            String id = request.replaceAll("(?s).*\"id\":(\\d+).*", "$1");
            String result =
                    request.contains("\"server/discover\"")
                            ? "\"error\":{\"code\":-32601,\"message\":\"unknown\"}"
                            : "\"result\":" + result(request);
            String body = "{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + result + "}";
            return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body;
        }

        private static String result(String request) {
            if (request.contains("\"initialize\"")) {
                return "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                        + "\"serverInfo\":{\"name\":\"tls\",\"version\":\"1\"}}";
            }
            return request.contains("\"tools/list\"")
                    ? "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}"
                    : "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}";
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}

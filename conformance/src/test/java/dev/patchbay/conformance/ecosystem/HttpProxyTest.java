package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;

/** Servers that are reached through the proxy of the environment variables. */
class HttpProxyTest {
    @TempDir private Path folder;

    @Test
    void serverIsReachedThroughTheProxy() throws Exception {
        try (var server = new HttpEchoServer();
                var proxy = RawHttpServer.start(exchange -> tunnel(exchange, server))) {
            var installation = new TestInstallation(folder);
            installation.env("HTTP_PROXY", proxy.url("").toString());
            installation.withServer("far", "{\"url\": \"http://far.invalid/mcp\"}").save();
            try (TestHost host = installation.connect()) {
                host.awaitListed("far");
                assertThat(host.callForText("far.echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            }
            assertThat(proxy.receivedRequests())
                    .isNotEmpty()
                    .allMatch(it -> it.path().equals("far.invalid:80"));
            assertThat(server.received())
                    .allMatch(it -> it.header("Host").orElse("").equals("far.invalid"));
        }
    }

    @Test
    void proxyGetsItsUserAndPassword() throws Exception {
        try (var server = new HttpEchoServer();
                var proxy = RawHttpServer.start(exchange -> tunnel(exchange, server))) {
            var installation = new TestInstallation(folder);
            String withPassword = proxy.url("").toString().replace("://", "://me:s3%40me@");
            installation.env("HTTP_PROXY", withPassword);
            installation.withServer("far", "{\"url\": \"http://far.invalid/mcp\"}").save();
            try (TestHost host = installation.connect()) {
                host.awaitListed("far");
            }
            assertThat(proxy.receivedRequests())
                    .allMatch(
                            it ->
                                    it.header("Proxy-Authorization")
                                            .orElse("")
                                            .equals("Basic bWU6czNAbWU="));
            assertThat(server.received())
                    .allMatch(it -> it.header("Proxy-Authorization").isEmpty());
        }
    }

    @Test
    void refusalOfTheProxyIsReportedWithoutThePassword() throws Exception {
        try (var proxy = RawHttpServer.start(HttpProxyTest::refuse)) {
            var installation = new TestInstallation(folder);
            String withPassword = proxy.url("").toString().replace("://", "://me:s3same@");
            installation.env("HTTP_PROXY", withPassword);
            installation
                    .withServer("far", "{\"url\": \"http://far.invalid/mcp\", \"maxRetries\": 0}")
                    .save();
            try (TestHost host = installation.connect()) {
                assertThat(host.awaitStatus("far", "error").at("lastError").asText())
                        .contains("407")
                        .doesNotContain("s3same");
            }
        }
    }

    private static void refuse(Exchange exchange) throws IOException {
        exchange.respond(407, "", "Proxy-Authenticate: Basic realm=\"p\"");
    }

    /** Connects as a proxy does, whatever host was requested. */
    private static void tunnel(Exchange exchange, HttpEchoServer server) throws IOException {
        assertThat(exchange.request().method()).isEqualTo("CONNECT");
        Socket client = exchange.socket();
        try (var target = new Socket(InetAddress.getLoopbackAddress(), server.url().getPort())) {
            exchange.send("HTTP/1.1 200 Connected\r\n\r\n");
            Thread.ofVirtual().start(() -> copyBytes(target, client));
            copyBytes(client, target);
        }
    }

    private static void copyBytes(Socket from, Socket to) {
        try (to) {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
        } catch (IOException _) {
            // One of both has hung up.
        }
    }
}

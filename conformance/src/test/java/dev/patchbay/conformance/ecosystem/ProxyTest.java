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

/** Servers that are reached through the proxy that the usual variables name. */
class ProxyTest {
    @TempDir private Path folder;

    @Test
    void aServerIsReachedThroughTheProxy() throws Exception {
        try (var server = new WebServer();
                var proxy = RawHttpServer.start(exchange -> tunnel(exchange, server))) {
            var bench = new Workbench(folder);
            bench.env("HTTP_PROXY", proxy.url("").toString());
            bench.with("far", "{\"url\": \"http://far.invalid/mcp\"}").save();
            try (Host host = bench.open()) {
                host.awaitListed("far");
                assertThat(host.text("far.echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            }
            assertThat(proxy.received())
                    .isNotEmpty()
                    .allMatch(it -> it.path().equals("far.invalid:80"));
            assertThat(server.received())
                    .allMatch(it -> it.header("Host").orElse("").equals("far.invalid"));
        }
    }

    @Test
    void aProxyThatWantsAPasswordCannotBeUsed() throws Exception {
        try (var proxy = RawHttpServer.start(ProxyTest::refuse)) {
            var bench = new Workbench(folder);
            String withPassword = proxy.url("").toString().replace("://", "://me:s3same@");
            bench.env("HTTP_PROXY", withPassword);
            bench.with("far", "{\"url\": \"http://far.invalid/mcp\", \"maxRetries\": 0}").save();
            try (Host host = bench.open()) {
                assertThat(host.awaitStatus("far", "error").at("lastError").text())
                        .contains("407")
                        .doesNotContain("s3same");
            }
            assertThat(proxy.received().toString()).doesNotContain("Proxy-Authorization");
        }
    }

    private static void refuse(Exchange exchange) throws IOException {
        exchange.answer(407, "", "Proxy-Authenticate: Basic realm=\"p\"");
    }

    /** Connects as a proxy does, whatever name was asked for. */
    private static void tunnel(Exchange exchange, WebServer server) throws IOException {
        assertThat(exchange.request().method()).isEqualTo("CONNECT");
        Socket client = exchange.socket();
        try (var target = new Socket(InetAddress.getLoopbackAddress(), server.url().getPort())) {
            exchange.send("HTTP/1.1 200 Connected\r\n\r\n");
            Thread.ofVirtual().start(() -> pass(target, client));
            pass(client, target);
        }
    }

    private static void pass(Socket from, Socket to) {
        try (to) {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
        } catch (IOException _) {
            // One of both has hung up.
        }
    }
}

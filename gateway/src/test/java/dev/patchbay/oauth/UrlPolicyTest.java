package dev.patchbay.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.testkit.RawHttpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.URI;

/** Where a server may send us; only addresses, so that no name is looked up. */
class UrlPolicyTest {
    private static final URI PUBLIC = URI.create("https://203.0.114.7/mcp");
    private static final URI LOCAL = URI.create("http://127.0.0.1:1/mcp");
    private static final URI OFFICE = URI.create("https://10.1.2.3/mcp");

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, LOOPBACK",
        "::1, LOOPBACK",
        "::ffff:127.0.0.1, LOOPBACK",
        "2002:7f00:1::, LOOPBACK",
        "64:ff9b::7f00:1, LOOPBACK",
        "::127.0.0.1, LOOPBACK",
        "10.0.0.1, PRIVATE",
        "172.16.0.1, PRIVATE",
        "172.32.0.1, PUBLIC",
        "192.168.1.1, PRIVATE",
        "100.64.0.1, PRIVATE",
        "fd00::1, PRIVATE",
        "fec0::1, PRIVATE",
        "2002:0a00:1::, PRIVATE",
        "169.254.169.254, FORBIDDEN",
        "fe80::1, FORBIDDEN",
        "0.0.0.0, FORBIDDEN",
        "::, FORBIDDEN",
        "224.0.0.1, FORBIDDEN",
        "255.255.255.255, FORBIDDEN",
        "64:ff9b::a9fe:a9fe, FORBIDDEN",
        "8.8.8.8, PUBLIC",
        "2606:4700::1111, PUBLIC"
    })
    void classifiesAddresses(String address, AddressScope kind) throws Exception {
        assertThat(AddressScope.of(InetAddress.getByName(address))).isEqualTo(kind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1/x",
                "https://2130706433/x",
                "https://127.1/x",
                "https://10.0.0.1/x",
                "https://169.254.169.254/latest",
                "https://[::ffff:127.0.0.1]/x",
                "https://[64:ff9b::7f00:1]/x",
                "http://8.8.8.8/x",
                "file:///etc/passwd",
                "gopher://8.8.8.8/",
                "javascript:alert(1)",
                "https://user@8.8.8.8/",
                "--upload-pack=x",
                "a:$(touch pwn)?",
                ""
            })
    void publicServerCannotRedirectToLocalPrivateOrPlainHttp(String url) {
        assertThatThrownBy(() -> UrlPolicy.forServer(PUBLIC).requireAllowed(url))
                .isInstanceOf(SignInFailed.class);
    }

    @Test
    void serverMayRedirectWithinItsOwnScope() throws Exception {
        assertThat(UrlPolicy.forServer(PUBLIC).requireAllowed("https://8.8.8.8/x").url())
                .hasHost("8.8.8.8");
        assertThat(UrlPolicy.forServer(OFFICE).requireAllowed("https://10.9.9.9/x").url())
                .hasHost("10.9.9.9");
        assertThat(UrlPolicy.forServer(LOCAL).requireAllowed("http://127.0.0.1:2/x").url())
                .hasPort(2);
        assertThatThrownBy(() -> UrlPolicy.forServer(OFFICE).requireAllowed("https://127.0.0.1/x"))
                .hasMessageContaining("not allowed for its address");
        assertThatThrownBy(
                        () ->
                                UrlPolicy.forServer(LOCAL)
                                        .requireAllowed("https://169.254.169.254/x"))
                .hasMessageContaining("not allowed for its address");
    }

    private static UrlPolicy.Resolver resolving(String... addresses) {
        return host -> {
            if (!host.endsWith(".test")) {
                return InetAddress.getAllByName(host);
            }
            var found = new InetAddress[addresses.length];
            for (int i = 0; i < found.length; i++) {
                found[i] = InetAddress.ofLiteral(addresses[i]);
            }
            return found;
        };
    }

    /** Finding 8: a loopback address beside a public one does not make a server local. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "::1", "169.254.169.254"})
    void widestAddressDecidesHowFarServerReaches(String narrow) throws Exception {
        var server = URI.create("https://mixed.test/mcp");
        for (String[] order : new String[][] {{"198.51.100.7", narrow}, {narrow, "198.51.100.7"}}) {
            UrlPolicy policy = UrlPolicy.forServer(server, resolving(order));
            for (String url :
                    new String[] {
                        "http://127.0.0.1:9999/token",
                        "https://127.0.0.1:9999/token",
                        "https://10.0.0.1/token",
                        "https://mixed.test/token",
                        "http://mixed.test/token"
                    }) {
                assertThatThrownBy(() -> policy.requireAllowed(url))
                        .as(url)
                        .isInstanceOf(SignInFailed.class);
            }
        }
    }

    @Test
    void hostWithLoopbackAndPrivateAddressNeedsTls() throws Exception {
        UrlPolicy policy = UrlPolicy.forServer(LOCAL, resolving("127.0.0.1", "10.0.0.1"));
        assertThatThrownBy(() -> policy.requireAllowed("http://mixed.test/token"))
                .hasMessageContaining("TLS");
        assertThat(policy.requireAllowed("https://mixed.test/token").addresses())
                .containsExactly(
                        InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("10.0.0.1"));
    }

    @Test
    void publicServerWithoutTlsIsRefused() {
        assertThatThrownBy(() -> UrlPolicy.forServer(URI.create("http://203.0.114.7/mcp")))
                .isInstanceOf(SignInFailed.class)
                .hasMessageContaining("https");
        var mixed = URI.create("http://mixed.test/mcp");
        assertThatThrownBy(() -> UrlPolicy.forServer(mixed, resolving("127.0.0.1", "198.51.100.7")))
                .isInstanceOf(SignInFailed.class);
    }

    /** The name is not looked up again between the check and the connection. */
    @Test
    void requestGoesToCheckedAddresses() throws Exception {
        try (var server = RawHttpServer.start(exchange -> exchange.respond(200, "{\"a\":1}"))) {
            UrlPolicy policy = UrlPolicy.forServer(LOCAL, resolving("127.0.0.1"));
            var http = new OAuthHttpClient(policy);
            assertThat(http.fetchJson("http://nowhere.test:" + server.port() + "/x")).isNotNull();
            assertThat(server.receivedRequests().getFirst().header("Host"))
                    .contains("nowhere.test:" + server.port());
        }
    }
}

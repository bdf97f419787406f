package dev.patchbay.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        "169.254.169.254, NOWHERE",
        "fe80::1, NOWHERE",
        "0.0.0.0, NOWHERE",
        "::, NOWHERE",
        "224.0.0.1, NOWHERE",
        "255.255.255.255, NOWHERE",
        "64:ff9b::a9fe:a9fe, NOWHERE",
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
        assertThat(UrlPolicy.forServer(PUBLIC).requireAllowed("https://8.8.8.8/x"))
                .hasHost("8.8.8.8");
        assertThat(UrlPolicy.forServer(OFFICE).requireAllowed("https://10.9.9.9/x"))
                .hasHost("10.9.9.9");
        assertThat(UrlPolicy.forServer(LOCAL).requireAllowed("http://127.0.0.1:2/x")).hasPort(2);
        assertThatThrownBy(() -> UrlPolicy.forServer(OFFICE).requireAllowed("https://127.0.0.1/x"))
                .hasMessageContaining("not for it");
        assertThatThrownBy(
                        () ->
                                UrlPolicy.forServer(LOCAL)
                                        .requireAllowed("https://169.254.169.254/x"))
                .hasMessageContaining("not for it");
    }
}

package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Workbench.Outcome;
import dev.patchbay.testkit.FreePort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** What stands under {@code oauth} of a server is what its authorization server is asked with. */
class SignInOptionsTest {
    private static final String METADATA = "/.well-known/oauth-authorization-server";
    private static final String DOCUMENT = "https://example.com/patchbay.json";

    @TempDir private Path folder;
    private AuthorizationServer authority;

    @BeforeEach
    void open() throws IOException {
        authority = new AuthorizationServer();
    }

    @AfterEach
    void close() throws IOException {
        authority.close();
    }

    private Workbench with(String oauth) {
        String entry = authority.guarded().config("\"oauth\": {" + oauth + "}");
        return new Workbench(folder).with("guarded", entry).save();
    }

    /** Signs in; what the page for it was asked with. */
    private Map<String, String> signedInWith(String oauth) throws Exception {
        try (var login = new Login(with(oauth))) {
            Map<String, String> asked = AuthorizationServer.pairs(login.page().getRawQuery());
            assertThat(login.finish()).as(login.stderr()).isZero();
            return asked;
        }
    }

    @Test
    void theClientTheRightsAndThePortAreThoseOfTheFile() throws Exception {
        int port = FreePort.find();
        Map<String, String> asked =
                signedInWith(
                        "\"clientId\": \"me\", \"scopes\": [\"special\"], \"redirectPort\": "
                                + port);
        assertThat(asked.get("client_id")).isEqualTo("me");
        assertThat(asked.get("scope").split(" ", -1)).contains("special").doesNotContain("read");
        assertThat(URI.create(asked.get("redirect_uri")).getPort()).isEqualTo(port);
        assertThat(authority.count("/register")).isZero();
    }

    @Test
    void withoutThemTheGatewayRegistersAndAsksForWhatTheServerWants() throws Exception {
        Map<String, String> asked = signedInWith("");
        assertThat(asked.get("client_id")).isEqualTo("client-1");
        assertThat(asked.get("scope").split(" ", -1)).contains("read");
        assertThat(authority.count("/register")).isEqualTo(1);
    }

    @Test
    void theAddressOfADocumentIsTheIdWhereThatIsTaken() throws Exception {
        String oauth = "\"clientMetadataUrl\": \"" + DOCUMENT + "\"";
        assertThat(signedInWith(oauth).get("client_id")).isEqualTo("client-1");
        String taken =
                authority
                        .metadata(authority.issuer())
                        .replace(
                                "{\"issuer\"",
                                "{\"client_id_metadata_document_supported\":true,\"issuer\"");
        authority.on(METADATA, exchange -> exchange.answer(200, taken, WebServer.JSON));
        assertThat(signedInWith(oauth).get("client_id")).isEqualTo(DOCUMENT);
    }

    @Test
    void noOtherAuthorizationServerIsUsedThanTheOneOfTheFile() throws Exception {
        assertThat(signedInWith("\"issuer\": \"" + authority.issuer() + "\"")).isNotEmpty();
        long before = authority.count("/token");
        Workbench bench = with("\"issuer\": \"https://other.example\"");
        Outcome outcome = bench.run("login", "--no-open", "--timeout", "20", "guarded");
        assertThat(outcome.status()).as(outcome.err()).isEqualTo(1);
        assertThat(outcome.err()).contains("does not name the issuer that is to be used");
        assertThat(authority.count("/token")).isEqualTo(before);
    }
}

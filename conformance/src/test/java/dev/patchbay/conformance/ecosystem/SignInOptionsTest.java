package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.FreePort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** The {@code oauth} options of a server are sent to its authorization server. */
class SignInOptionsTest {
    private static final String SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";
    private static final String CLIENT_ID_DOCUMENT = "https://example.com/patchbay.json";

    @TempDir private Path folder;
    private FakeAuthorizationServer authorizationServer;

    @BeforeEach
    void open() throws IOException {
        authorizationServer = new FakeAuthorizationServer();
    }

    @AfterEach
    void close() throws IOException {
        authorizationServer.close();
    }

    private TestInstallation newInstallation(String oauth) {
        String entry = authorizationServer.mcpServer().configEntry("\"oauth\": {" + oauth + "}");
        return new TestInstallation(folder).withServer("guarded", entry).save();
    }

    /** Signs in and returns the query of the authorization request. */
    private Map<String, String> signInAndReadQuery(String oauth) throws Exception {
        try (var login = new LoginProcess(newInstallation(oauth))) {
            Map<String, String> asked =
                    FakeAuthorizationServer.parseForm(login.signInPage().getRawQuery());
            assertThat(login.signIn()).as(login.stderr()).isZero();
            return asked;
        }
    }

    @Test
    void clientScopesAndPortComeFromTheConfiguration() throws Exception {
        int port = FreePort.find();
        Map<String, String> asked =
                signInAndReadQuery(
                        "\"clientId\": \"me\", \"scopes\": [\"special\"], \"redirectPort\": "
                                + port);
        assertThat(asked.get("client_id")).isEqualTo("me");
        assertThat(asked.get("scope").split(" ", -1)).contains("special").doesNotContain("read");
        assertThat(URI.create(asked.get("redirect_uri")).getPort()).isEqualTo(port);
        assertThat(authorizationServer.count("/register")).isZero();
    }

    @Test
    void gatewayRegistersAndRequestsTheServersScopesByDefault() throws Exception {
        Map<String, String> asked = signInAndReadQuery("");
        assertThat(asked.get("client_id")).isEqualTo("client-1");
        assertThat(asked.get("scope").split(" ", -1)).contains("read");
        assertThat(authorizationServer.count("/register")).isEqualTo(1);
    }

    @Test
    void clientIdMetadataDocumentIsUsedIfSupported() throws Exception {
        String oauth = "\"clientMetadataUrl\": \"" + CLIENT_ID_DOCUMENT + "\"";
        assertThat(signInAndReadQuery(oauth).get("client_id")).isEqualTo("client-1");
        String taken =
                authorizationServer
                        .serverMetadata(authorizationServer.issuer())
                        .replace(
                                "{\"issuer\"",
                                "{\"client_id_metadata_document_supported\":true,\"issuer\"");
        authorizationServer.on(
                SERVER_METADATA_PATH,
                exchange -> exchange.respond(200, taken, HttpEchoServer.JSON_HEADER));
        assertThat(signInAndReadQuery(oauth).get("client_id")).isEqualTo(CLIENT_ID_DOCUMENT);
    }

    @Test
    void onlyTheConfiguredAuthorizationServerIsUsed() throws Exception {
        assertThat(signInAndReadQuery("\"issuer\": \"" + authorizationServer.issuer() + "\""))
                .isNotEmpty();
        long before = authorizationServer.count("/token");
        TestInstallation installation = newInstallation("\"issuer\": \"https://other.example\"");
        CommandResult outcome =
                installation.run("login", "--no-open", "--timeout", "20", "guarded");
        assertThat(outcome.status()).as(outcome.err()).isEqualTo(1);
        assertThat(outcome.err()).contains("names another issuer than the configured one");
        assertThat(authorizationServer.count("/token")).isEqualTo(before);
    }
}

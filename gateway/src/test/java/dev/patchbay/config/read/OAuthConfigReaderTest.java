package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.OAuthConfig.Grant;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OAuthConfigReaderTest {
    private static String file(String oauth) {
        return ConfigSamples.fileWithServer(
                "\"url\": \"https://x.test/mcp\", \"oauth\": {" + oauth + "}");
    }

    private static OAuthConfig read(String oauth) {
        var servers = ConfigSamples.readValid(file(oauth)).configuration().servers();
        return ((Transport.Http) servers.getFirst().transport()).oauth();
    }

    @Test
    void readsGrants() {
        assertThat(read("").grant()).isEqualTo(new Grant.AuthorizationCode());
        OAuthConfig withKey =
                read(
                        "\"grant\": \"client_credentials\", \"clientId\": \"gw\","
                                + " \"privateKeyFile\": \"/k.pem\"");
        assertThat(withKey.grant()).isEqualTo(new Grant.ClientCredentials());
        assertThat(withKey.client().privateKeyFile()).isEqualTo("/k.pem");
        assertThat(read("\"grant\": \"jwt_bearer\", \"assertionFile\": \"/jwt\"").grant())
                .isEqualTo(new Grant.JwtBearer("/jwt"));
        assertThat(
                        read("\"grant\": \"identity_assertion\", \"assertionFile\":"
                                        + " \"/id\", \"clientId\": \"gw\","
                                        + " \"identityProvider\": {\"tokenUrl\":"
                                        + " \"https://idp.test/token\", \"clientId\":"
                                        + " \"a\"}")
                                .grant())
                .isEqualTo(new Grant.IdentityAssertion("/id", "https://idp.test/token", "a"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"grant\": \"client_credentials\", \"clientId\": \"gw\"",
                "\"grant\": \"jwt_bearer\"",
                "\"grant\": \"identity_assertion\", \"assertionFile\": \"/id\"",
            })
    void incompleteGrantIsPointedOut(String oauth) {
        assertThat(ConfigSamples.findingLines(file(oauth)))
                .anySatisfy(line -> assertThat(line).contains("grant needs"));
    }
}

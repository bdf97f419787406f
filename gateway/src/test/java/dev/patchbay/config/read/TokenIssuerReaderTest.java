package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.TokenIssuer;
import dev.patchbay.http.server.AccessScope;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

class TokenIssuerReaderTest {
    private static final String HTTP = "{\"patchbay\": {\"http\": {%s}}}";

    private static String file(String entry) {
        return HTTP.formatted("\"auth\": \"oauth\", \"oauth\": [" + entry + "]");
    }

    @Test
    void readsEveryKey() {
        String entry =
                "{\"issuer\": \"https://idp.test/\", \"audience\": [\"api://gw\", \"b\"],"
                        + " \"principalClaim\": \"oid\", \"scopes\": {\"x\": \"mcp\"},"
                        + " \"defaultScopes\": [\"metrics\"], \"viewClaim\": \"roles\","
                        + " \"views\": {\"ops\": \"*\", \"eng\": \"work\"},"
                        + " \"jwksUrl\": \"https://idp.test/keys\", \"introspection\":"
                        + " {\"clientId\": \"gw\", \"clientSecret\": \"${secret:idp}\"}}";
        var settings = ConfigSamples.readValid(file(entry)).configuration().settings();
        TokenIssuer issuer = settings.http().issuers().getFirst();
        assertThat(issuer.issuer()).isEqualTo("https://idp.test/");
        assertThat(issuer.audiences()).containsExactly("api://gw", "b");
        assertThat(issuer.claims())
                .isEqualTo(
                        new TokenIssuer.Claims(
                                "oid",
                                Map.of("x", "mcp"),
                                List.of("metrics"),
                                "roles",
                                Map.of("ops", "*", "eng", "work")));
        assertThat(issuer.claims().views().keySet()).containsExactly("ops", "eng");
        assertThat(issuer.jwksUrl()).isEqualTo("https://idp.test/keys");
        assertThat(issuer.introspection().names()).containsExactly("clientId", "clientSecret");
        assertThat(issuer.introspection() + "").contains("secret:idp");
    }

    @Test
    void oneAudienceNeedsNoArray() {
        String entry = "{\"issuer\": \"https://idp.test\", \"audience\": \"a\"}";
        var settings = ConfigSamples.readValid(file(entry)).configuration().settings();
        assertThat(settings.http().issuers().getFirst().audiences()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"issuer\": \"idp\"}",
                "{\"issuer\": \"http://idp.test\"}",
                "{\"issuer\": \"https://u:p@idp.test\"}",
                "{\"issuer\": \"https://idp.test\"}, {\"issuer\": \"https://idp.test\"}",
                "{\"issuer\": \"https://idp.test\", \"audience\": 1}",
                "{\"issuer\": \"https://idp.test\", \"scopes\": {\"x\": \"root\"}}",
                "{\"issuer\": \"https://idp.test\", \"defaultScopes\": [\"root\"]}",
                "{\"issuer\": \"https://idp.test\", \"views\": {\"x\": \"a b\"}}",
                "{\"issuer\": \"https://idp.test\", \"jwksUrl\": \"http://idp.test/keys\"}",
                "{\"issuer\": \"https://idp.test\", \"introspection\": {}}",
                "{\"issuer\": \"https://idp.test\", \"introspection\": {\"clientId\": \"a\"}}"
            })
    void wrongIssuerIsAnError(String entry) {
        assertThat(ConfigSamples.read(file(entry)).findings()).anyMatch(it -> it.isError());
    }

    @Test
    void issuersWithoutOAuthArePointedOut() {
        String text = HTTP.formatted("\"oauth\": [{\"issuer\": \"https://idp.test\"}]");
        assertThat(ConfigSamples.findingLines(text))
                .anySatisfy(line -> assertThat(line).contains("are not used"));
    }

    @Test
    void scopesAreThoseOfTheGateway() {
        assertThat(TokenIssuerReader.SCOPES)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(AccessScope.values()).map(AccessScope::text).toList());
    }
}

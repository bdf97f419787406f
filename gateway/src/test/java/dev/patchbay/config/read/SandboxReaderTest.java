package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.server.SandboxPolicy;
import dev.patchbay.server.SandboxPolicy.Endpoint;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** The setting sandbox of a server. */
class SandboxReaderTest {
    private static Transport transport(String sandbox) {
        String text = ConfigSamples.fileWithServer("\"command\": \"c\", \"sandbox\": " + sandbox);
        var read = (ConfigReadResult.Valid) ConfigSamples.read(text);
        return read.configuration().servers().getFirst().transport();
    }

    private static SandboxPolicy policy(String sandbox) {
        return ((Transport.Stdio) transport(sandbox)).sandbox();
    }

    @Test
    void wordStandsForTheLevel() {
        assertThat(policy("\"none\"")).isEqualTo(SandboxPolicy.none());
        assertThat(policy("\"learn\"")).isEqualTo(new SandboxPolicy.Learn());
        assertThat(policy("\"standard\""))
                .isEqualTo(new SandboxPolicy.Standard(List.of(), List.of()));
        assertThat(policy("\"strict\""))
                .isEqualTo(new SandboxPolicy.Strict(List.of(), List.of(), List.of()));
    }

    @Test
    void objectListsPathsAndHosts() {
        assertThat(
                        policy(
                                """
                                {"level": "strict", "read": ["/r"], "write": ["w", "~/x"],
                                "network": ["api.example.com:443", "*.example.org:80"]}
                                """))
                .isEqualTo(
                        new SandboxPolicy.Strict(
                                List.of("/r"),
                                List.of("w", "~/x"),
                                List.of(
                                        new Endpoint("api.example.com", 443),
                                        new Endpoint("*.example.org", 80))));
    }

    @Test
    void objectWithoutALevelIsStrict() {
        assertThat(policy("{\"network\": false}"))
                .isEqualTo(new SandboxPolicy.Strict(List.of(), List.of(), List.of()));
    }

    /** A server whose sandbox cannot be understood must not run without one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"strikt\"",
                "true",
                "{\"level\": \"high\"}",
                "{\"network\": true}",
                "{\"network\": [\"example.com\"]}",
                "{\"network\": [\"example.com:99999\"]}",
                "{\"read\": [\"\"]}",
                "{\"level\": \"standard\", \"network\": false}",
            })
    void serverWithAFaultySandboxIsInvalid(String sandbox) {
        assertThat(transport(sandbox)).isInstanceOf(Transport.Invalid.class);
    }

    @Test
    void patternMatchesNamesBelowADomain() {
        var endpoint = new Endpoint("*.example.com", 443);
        assertThat(endpoint.matches("api.Example.com", 443)).isTrue();
        assertThat(endpoint.matches("example.com", 443)).isFalse();
        assertThat(endpoint.matches("badexample.com", 443)).isFalse();
        assertThat(endpoint.matches("api.example.com", 444)).isFalse();
        assertThat(Endpoint.parse("[::1]:80")).isEqualTo(new Endpoint("::1", 80));
    }
}

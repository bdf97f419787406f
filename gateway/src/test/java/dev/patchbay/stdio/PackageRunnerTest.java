package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

class PackageRunnerTest {
    @ParameterizedTest
    @CsvSource({
        "npx -y @scope/server, npx",
        "/usr/local/bin/npx server, npx",
        "C:\\node\\npx.cmd server, npx",
        "uvx mcp-server, uvx",
        "bunx server, bunx",
        "pipx run server, pipx",
        "docker run -i --rm image, docker",
        "npm exec server, npm",
        "npm --yes exec server, npm",
        "pnpm dlx server, pnpm",
        "yarn dlx server, yarn",
        "uv tool run server, uv",
        "node server.js, ''",
        "npm start, ''",
        "docker ps, ''",
        "python -m npx, ''",
        "npm, ''",
        "my-npx x, ''",
    })
    void recognizesCommands(String line, String name) {
        List<String> words = List.of(line.split(" "));
        assertThat(PackageRunner.nameOf(words.getFirst(), words.subList(1, words.size())))
                .isEqualTo(name);
    }

    @Test
    void onlyPackageRunnersGetTheNetworkSettings() {
        var ours =
                Map.of(
                        "HTTPS_PROXY", "http://proxy:1",
                        "no_proxy", "localhost",
                        "NODE_EXTRA_CA_CERTS", "/ca.pem",
                        "npm_config_registry", "https://registry.example/",
                        "npm_config__authToken", "secret",
                        "NPM_TOKEN", "secret",
                        "GITHUB_TOKEN", "secret",
                        "PATH", "/bin");
        assertThat(environment("npx", ours))
                .containsOnlyKeys(
                        "HTTPS_PROXY",
                        "no_proxy",
                        "NODE_EXTRA_CA_CERTS",
                        "npm_config_registry",
                        "PATH");
        assertThat(environment("node", ours)).containsOnlyKeys("PATH");
    }

    @Test
    void configuredValueTakesPrecedence() {
        var command =
                new ProcessCommand("npx", List.of(), Map.of("HTTPS_PROXY", "http://mine"), null);
        assertThat(command.fullEnvironment(Map.of("HTTPS_PROXY", "http://ours")))
                .containsEntry("HTTPS_PROXY", "http://mine");
    }

    private static Map<String, String> environment(String program, Map<String, String> ours) {
        return new ProcessCommand(program, List.of("x"), Map.of(), null).fullEnvironment(ours);
    }
}

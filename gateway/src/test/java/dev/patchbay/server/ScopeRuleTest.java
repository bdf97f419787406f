package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.ServerSpec.Instances;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Scope;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

class ScopeRuleTest {
    private static ScopeRule rule(String commandLine, Instances instances) {
        List<String> words = List.of(commandLine.split(" ", -1));
        return ScopeRule.of(
                new ServerSpec(
                        new ServerId("s"),
                        new Transport.Stdio(
                                words.getFirst(), words.subList(1, words.size()), Map.of(), null),
                        Options.DEFAULTS.withInstances(instances)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npx -y @playwright/mcp@latest --headless",
                "npx chrome-devtools-mcp@1.11.0",
                "npx -y @executeautomation/playwright-mcp-server",
                "node /opt/puppeteer-mcp-server/dist/puppeteer.js",
                "npx @browsermcp/mcp",
                "npx -y @modelcontextprotocol/server-filesystem /srv",
                "npx -y @modelcontextprotocol/server-sequential-thinking",
                "uvx mcp-server-git --repository /srv",
                "patchbay repl",
                "uvx --from git+https://example.com/serena serena start-mcp-server",
                "C:\\tools\\mcp-language-server.exe -workspace x"
            })
    void programThatKeepsStateHasAProcessForEachClient(String commandLine) {
        ScopeRule rule = rule(commandLine, Instances.DEFAULTS);
        assertThat(rule.scope()).as(rule.reason()).isEqualTo(Scope.CLIENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npx -y @modelcontextprotocol/server-memory",
                "npx replicate-mcp",
                "node /home/me/playwright/server.js",
                "npx -y @notionhq/notion-mcp-server --url=https://playwright.dev",
                "java -jar weather.jar"
            })
    void otherProgramIsShared(String commandLine) {
        assertThat(rule(commandLine, Instances.DEFAULTS).scope()).isEqualTo(Scope.SHARED);
    }

    @Test
    void configuredScopeHolds() {
        var shared = new Instances(Scope.SHARED, Duration.ZERO, 1);
        assertThat(rule("npx @playwright/mcp", shared))
                .isEqualTo(new ScopeRule(Scope.SHARED, "configured"));
        var project = new Instances(Scope.PROJECT, Duration.ZERO, 1);
        assertThat(rule("npx other", project).scope()).isEqualTo(Scope.PROJECT);
    }

    @Test
    void serverOverHttpIsShared() {
        var spec =
                new ServerSpec(
                        new ServerId("s"),
                        new Transport.Http(URI.create("http://127.0.0.1/playwright"), Map.of()),
                        Options.DEFAULTS);
        assertThat(ScopeRule.of(spec).scope()).isEqualTo(Scope.SHARED);
    }
}

package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.conformance.ecosystem.Workbench.Outcome;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Each option of a command does what the page of commands says. */
class OptionsTest {
    private static final String TYPED =
            """
            [{"name": "echo", "x-behaviour": "echo", "inputSchema": {"type": "object",
              "properties": {"n": {"type": "integer"}, "s": {"type": "string"},
                "b": {"type": "boolean"}}}},
             {"name": "wait", "x-behaviour": "hang", "inputSchema": {"type": "object"}}]
            """;
    private static final Pattern SECTION = Pattern.compile("(?ms)^## (\\w+)$(.*?)(?=^## |\\z)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (.*) \\|$");

    @TempDir private Path folder;
    private Workbench bench;

    @BeforeEach
    void configure() {
        bench = new Workbench(folder);
        bench.with(bench.script("a").defining(TYPED));
        bench.save(bench.text().replace("\"selfTools\": true", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "ech, a.echo",
        "a*c*o, a.echo",
        "WAIT, a.wait",
        "x, ''",
        "o*e, ''",
        "*, a.echo a.wait"
    })
    void aPatternChoosesTools(String pattern, String names) throws Exception {
        JsonTree tools = StrictJson.parse(bench.run("tools", "--json", pattern).out());
        assertThat(tools.list().stream().map(it -> it.at("fullName").text()))
                .containsExactlyElementsOf(
                        Arrays.stream(names.split(" ", -1)).filter(it -> !it.isEmpty()).toList());
    }

    @Test
    void valuesAreTakenForWhatTheSchemaSays() throws Exception {
        Outcome called = bench.run("call", "a.echo", "n=7", "s=7", "b=true", "x:=[1, null]");
        assertThat(StrictJson.parse(called.out()))
                .isEqualTo(StrictJson.parse("{\"n\":7,\"s\":\"7\",\"b\":true,\"x\":[1,null]}"));
        Outcome whole = bench.run("call", "--args", "{\"s\": \"é\"}", "a.echo");
        assertThat(StrictJson.parse(whole.out())).isEqualTo(StrictJson.parse("{\"s\":\"é\"}"));
    }

    @Test
    void aCallWaitsNoLongerThanItIsTold() throws Exception {
        Outcome called = bench.run("call", "--json", "--timeout", "1500", "a.wait");
        assertThat(called.status()).isEqualTo(1);
        JsonTree error = StrictJson.parse(called.out()).at("error");
        assertThat(error.at("message").text()).contains("1500");
        assertThat(error.at("execution").text()).isEqualTo("unknown");
    }

    @Test
    void anyFileCanBeChecked() throws Exception {
        Path other = Files.writeString(folder.resolve("other.json"), "{\"mcpServers\": 7}");
        Outcome checked = bench.bare("check", other.toString());
        assertThat(checked.status()).isEqualTo(2);
        assertThat(checked.out()).contains("other.json:1:16: error");
    }

    @Test
    void whatIsAddedStandsInTheFile() throws Exception {
        String url = "https://search.example.com/mcp";
        assertThat(bench.run("add", "web", "--url", url, "--header", "X-Key=a=b").status())
                .isZero();
        assertThat(bench.run("add", "prog", "--env", "K=v", "--", "cmd", "-x").status()).isZero();
        JsonTree servers = StrictJson.parse(Files.readString(bench.file())).at("mcpServers");
        assertThat(servers.at("web").write())
                .isEqualTo(
                        "{\"type\":\"http\",\"url\":\"%s\",\"headers\":{\"X-Key\":\"a=b\"}}"
                                .formatted(url));
        assertThat(servers.at("prog").write())
                .isEqualTo("{\"command\":\"cmd\",\"args\":[\"-x\"],\"env\":{\"K\":\"v\"}}");
    }

    @Test
    void onlyTheServerThatIsNamedIsAsked() throws Exception {
        ServerScript other = bench.script("b");
        bench.with(other).save();
        JsonTree found = StrictJson.parse(bench.run("discover", "--json", "--server", "a").out());
        assertThat(found.at("serverResults").list()).hasSize(1);
        assertThat(other.record().starts()).isZero();
    }

    @Test
    void theUsualBrowserIsOpenedAndWaitedForAsLongAsTold() throws Exception {
        Path log = folder.resolve("opened");
        Path open = folder.resolve("xdg-open");
        Files.writeString(open, "#!/bin/sh\necho \"$1\" >'%s'\n".formatted(log));
        assertThat(open.toFile().setExecutable(true)).isTrue();
        try (var authority = new AuthorizationServer()) {
            bench.with("guarded", authority.guarded().config("\"maxRetries\": 1")).save();
            bench.env("PATH", folder + ":" + System.getenv("PATH"));
            Outcome login = bench.run("login", "--timeout", "2", "guarded");
            assertThat(login.status()).isEqualTo(1);
            assertThat(login.err()).contains("Nobody came back from the sign-in within 2 s");
            // Nobody waits for a browser: it may come to its page when the login has ended.
            String page = authority.issuer() + "/authorize?";
            assertThat(Host.await(Host.PATIENCE, () -> said(log).startsWith(page))).isTrue();
        }
    }

    private static String said(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void bashTakesTheCompletions() throws Exception {
        Path script = Files.writeString(folder.resolve("c.sh"), bench.bare("completion").out());
        Process bash =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                "source '%s' && complete -p patchbay".formatted(script))
                        .redirectErrorStream(true)
                        .start();
        assertThat(new String(bash.getInputStream().readAllBytes(), UTF_8)).startsWith("complete ");
        assertThat(bash.waitFor()).isZero();
    }

    /** Line by line, as they are broken differently. */
    @Test
    void theHelpOfEachCommandSaysWhatThePageSays() throws Exception {
        String page = Files.readString(Workbench.program().root().resolve("docs/commands.md"));
        int seen = 0;
        for (MatchResult section : SECTION.matcher(page).results().toList()) {
            String help = bench.bare(section.group(1), "--help").out().replaceAll("\\s+", " ");
            for (MatchResult row : ROW.matcher(section.group(2)).results().toList()) {
                seen++;
                assertThat(help).as(section.group(1)).contains(row.group(2).replace("\\|", "|"));
            }
        }
        assertThat(seen).isGreaterThan(50);
    }
}

package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
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

/** Each option of a command does what the guide says. */
class CliOptionsTest {
    private static final String TYPED_TOOLS =
            """
            [{"name": "echo", "x-behaviour": "echo", "inputSchema": {"type": "object",
              "properties": {"n": {"type": "integer"}, "s": {"type": "string"},
                "b": {"type": "boolean"}}}},
             {"name": "wait", "x-behaviour": "hang", "inputSchema": {"type": "object"}}]
            """;
    private static final Pattern SECTION = Pattern.compile("(?ms)^## (\\w+)$(.*?)(?=^## |\\z)");
    private static final Pattern OPTION_ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (.*) \\|$");

    @TempDir private Path folder;
    private TestInstallation installation;

    @BeforeEach
    void configure() {
        installation = new TestInstallation(folder);
        installation.withServer(installation.script("a").withToolDefinitions(TYPED_TOOLS));
        installation.save(installation.configText().replace("\"selfTools\": true", ""));
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
    void patternSelectsTools(String pattern, String names) throws Exception {
        JsonTree tools = StrictJson.parse(installation.run("tools", "--json", pattern).out());
        assertThat(tools.asList().stream().map(it -> it.at("fullName").asText()))
                .containsExactlyElementsOf(
                        Arrays.stream(names.split(" ", -1)).filter(it -> !it.isEmpty()).toList());
    }

    @Test
    void valuesAreConvertedByTheSchema() throws Exception {
        CommandResult called =
                installation.run("call", "a.echo", "n=7", "s=7", "b=true", "x:=[1, null]");
        assertThat(StrictJson.parse(called.out()))
                .isEqualTo(StrictJson.parse("{\"n\":7,\"s\":\"7\",\"b\":true,\"x\":[1,null]}"));
        CommandResult whole = installation.run("call", "--args", "{\"s\": \"é\"}", "a.echo");
        assertThat(StrictJson.parse(whole.out())).isEqualTo(StrictJson.parse("{\"s\":\"é\"}"));
    }

    @Test
    void callTimeoutIsApplied() throws Exception {
        CommandResult called = installation.run("call", "--json", "--timeout", "1500", "a.wait");
        assertThat(called.status()).isEqualTo(1);
        JsonTree error = StrictJson.parse(called.out()).at("error");
        assertThat(error.at("message").asText()).contains("1500");
        assertThat(error.at("execution").asText()).isEqualTo("unknown");
    }

    @Test
    void anyFileCanBeChecked() throws Exception {
        Path other = Files.writeString(folder.resolve("other.json"), "{\"mcpServers\": 7}");
        CommandResult checked = installation.runWithoutConfig("check", other.toString());
        assertThat(checked.status()).isEqualTo(2);
        assertThat(checked.out()).contains("other.json:1:16: error");
    }

    @Test
    void addedServerIsWrittenToTheFile() throws Exception {
        String url = "https://search.example.com/mcp";
        assertThat(
                        installation
                                .run(
                                        "add",
                                        "web",
                                        "--no-try",
                                        "--url",
                                        url,
                                        "--header",
                                        "X-Key=a=b")
                                .status())
                .isZero();
        assertThat(
                        installation
                                .run("add", "prog", "--no-try", "--env", "K=v", "--", "cmd", "-x")
                                .status())
                .isZero();
        JsonTree servers =
                StrictJson.parse(Files.readString(installation.configFile())).at("mcpServers");
        assertThat(servers.at("web").write())
                .isEqualTo(
                        "{\"type\":\"http\",\"url\":\"%s\",\"headers\":{\"X-Key\":\"a=b\"}}"
                                .formatted(url));
        assertThat(servers.at("prog").write())
                .isEqualTo("{\"command\":\"cmd\",\"args\":[\"-x\"],\"env\":{\"K\":\"v\"}}");
    }

    @Test
    void onlyTheNamedServerIsAsked() throws Exception {
        ServerScript other = installation.script("b");
        installation.withServer(other).save();
        JsonTree found =
                StrictJson.parse(installation.run("discover", "--json", "--server", "a").out());
        assertThat(found.at("serverResults").asList()).hasSize(1);
        assertThat(other.recording().startCount()).isZero();
    }

    @Test
    void defaultBrowserIsOpenedAndTheWaitIsLimited() throws Exception {
        Path log = folder.resolve("opened");
        Path open = folder.resolve("xdg-open");
        Files.writeString(open, "#!/bin/sh\necho \"$1\" >'%s'\n".formatted(log));
        assertThat(open.toFile().setExecutable(true)).isTrue();
        try (var authorizationServer = new FakeAuthorizationServer()) {
            installation
                    .withServer(
                            "guarded",
                            authorizationServer.mcpServer().configEntry("\"maxRetries\": 1"))
                    .save();
            installation.env("PATH", folder + ":" + System.getenv("PATH"));
            CommandResult login = installation.run("login", "--timeout", "2", "guarded");
            assertThat(login.status()).isEqualTo(1);
            assertThat(login.err()).contains("The sign-in was not completed within 2 s");
            // Nobody waits for a browser: it may come to its page when the login has ended.
            String page = authorizationServer.issuer() + "/authorize?";
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> readLog(log).startsWith(page)))
                    .isTrue();
        }
    }

    private static String readLog(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void bashAcceptsTheCompletions() throws Exception {
        Path script =
                Files.writeString(
                        folder.resolve("c.sh"), installation.runWithoutConfig("completion").out());
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

    /** Without line breaks, which differ. */
    @Test
    void helpOfEachCommandMatchesTheGuide() throws Exception {
        String page =
                Files.readString(TestInstallation.program().root().resolve("docs/commands.md"));
        int seen = 0;
        for (MatchResult section : SECTION.matcher(page).results().toList()) {
            String help =
                    installation
                            .runWithoutConfig(section.group(1), "--help")
                            .out()
                            .replaceAll("\\s+", " ");
            for (MatchResult row : OPTION_ROW.matcher(section.group(2)).results().toList()) {
                seen++;
                assertThat(help).as(section.group(1)).contains(row.group(2).replace("\\|", "|"));
            }
        }
        assertThat(seen).isGreaterThan(50);
    }
}

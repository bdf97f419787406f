package dev.patchbay.config.read;

import static dev.patchbay.config.read.ConfigSamples.fileWithServer;
import static dev.patchbay.config.read.ConfigSamples.fileWithSettings;
import static dev.patchbay.config.read.ConfigSamples.findingLines;
import static dev.patchbay.config.read.ConfigSamples.readErrors;
import static dev.patchbay.config.read.ConfigSamples.readValid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.ListenAddress;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.TextPosition;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Instances;
import dev.patchbay.server.ServerSpec.Labels;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ToolFilter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a configuration file means. */
class ConfigReaderTest {
    @Test
    void readsEveryKeyOfServer() {
        var github =
                new ServerSpec(
                        new ServerId("github"),
                        new Transport.Stdio(
                                "npx",
                                List.of("-y", "@example/github-server", "--read-only"),
                                Map.of("GITHUB_TOKEN", "gh-secret", "MODE", "fast"),
                                "/srv/github"),
                        new Options(
                                false,
                                new Limits(Duration.ofSeconds(20), Duration.ofSeconds(120), 5),
                                EraChoice.LEGACY,
                                new ToolFilter(List.of("issue_*", "search"), List.of("*_delete")),
                                new Labels("Issues – und mehr", List.of("work", "code")),
                                false,
                                Instances.DEFAULTS));
        var docs =
                new ServerSpec(
                        new ServerId("docs"),
                        new Transport.Http(
                                URI.create("https://docs.example.com/mcp"),
                                Map.of("Authorization", "Bearer docs-secret")),
                        Options.DEFAULTS);
        assertThat(readValid(ConfigSamples.FULL).configuration().servers())
                .containsExactly(github, docs);
        assertThat(readValid(ConfigSamples.FULL).findings())
                .extracting(Finding::path)
                .containsExactly("patchbay.http.allowedHosts");
    }

    @Test
    void readsEveryKeyOfSettings() {
        assertThat(readValid(ConfigSamples.FULL).configuration().settings())
                .isEqualTo(
                        new PatchbaySettings(
                                PatchbaySettings.Names.SAFE,
                                new PatchbaySettings.Http(
                                        new ListenAddress("::1", 9000),
                                        PatchbaySettings.Auth.NONE,
                                        List.of("gateway.local"),
                                        List.of("https://inspector.example.com"),
                                        null,
                                        "https://gateway.example.com/mcp"),
                                "/home/kim/.patchbay",
                                true,
                                true,
                                new PatchbaySettings.Limits(
                                        1000000,
                                        2000000,
                                        3000000,
                                        10,
                                        20,
                                        30,
                                        40,
                                        50000,
                                        Duration.ofSeconds(6)),
                                PatchbaySettings.LogLevel.DEBUG,
                                new PatchbaySettings.Daemon(true, Duration.ofSeconds(5)),
                                new PatchbaySettings.History(
                                        false, PatchbaySettings.HistoryArguments.NONE, 2_000_000),
                                new PatchbaySettings.Telemetry(
                                        "http://127.0.0.1:4318",
                                        "https://traces.example/{traceId}"),
                                List.of(ConfigSamples.FULL_VIEW)));
    }

    @Test
    void usesDefaultsForAbsentKeys() {
        var configuration = readValid(fileWithServer("\"command\": \"x\"")).configuration();
        assertThat(configuration.settings()).isEqualTo(PatchbaySettings.DEFAULTS);
        assertThat(configuration.servers())
                .containsExactly(
                        new ServerSpec(
                                new ServerId("one"),
                                new Transport.Stdio("x", List.of(), Map.of(), null),
                                Options.DEFAULTS));
    }

    @Test
    void keepsOrderOfFile() {
        var text =
                "{\"mcpServers\": {\"z\": {\"command\": \"x\"}, \"a\": {\"url\": \"http://a/\"}}}";
        assertThat(readValid(text).configuration().servers())
                .extracting(server -> server.id().value())
                .containsExactly("z", "a");
    }

    @ParameterizedTest
    @CsvSource({
        "stdio,stdio",
        "local,stdio",
        "http,http",
        "remote,http",
        "streamable-http,http",
        "streamableHttp,http",
        "sse,sse"
    })
    void acceptsTransportTypesOfOtherPrograms(String type, String word) {
        var reached = word.equals("stdio") ? "\"command\": \"x\"" : "\"url\": \"http://x/y\"";
        var file = readValid(fileWithServer(reached + ", \"type\": \"" + type + "\""));
        assertThat(file.configuration().servers().getFirst().transport().typeName())
                .isEqualTo(word);
        assertThat(file.findings()).isEmpty();
    }

    @Test
    void readsServersKeyOfEditors() {
        var text = "{\"servers\": {\"a\": {\"command\": \"x\"}}, \"inputs\": []}";
        assertThat(readValid(text).configuration().servers()).hasSize(1);
    }

    @Test
    void rejectsBothServerListKeys() {
        assertThat(findingLines("{\"servers\": {}, \"mcpServers\": {}}"))
                .containsExactly(
                        "1:13: error: servers: Both mcpServers and servers are present."
                                + " Move all servers into mcpServers.");
    }

    @Test
    void acceptsDisabledWithNotice() {
        var file = readValid(fileWithServer("\"command\": \"x\", \"disabled\": true"));
        assertThat(file.configuration().servers().getFirst().enabled()).isFalse();
        assertThat(file.findings())
                .extracting(Finding::kind)
                .containsExactly(Kind.FOREIGN_SPELLING);
        assertThat(
                        readErrors(
                                fileWithServer(
                                        "\"command\": \"x\", \"disabled\": true, \"enabled\":"
                                                + " true")))
                .extracting(Finding::kind)
                .containsExactly(Kind.CONFLICT);
    }

    @Test
    void acceptsByteOrderMarkAndCrLf() {
        var text = "\uFEFF{\r\n\"mcpServers\": {\r\n\"a\": {\"comand\": \"x\"}}}\r\n";
        assertThat(findingLines(text))
                .anySatisfy(
                        line -> assertThat(line).startsWith("3:7: warning: mcpServers.a.comand:"));
    }

    @Test
    void reportsAllErrorsAtOnceWithPositions() {
        var text =
                """
                {
                  "mcpServers": {
                    "a": { "command": "x", "args": ["ok", 5], "enabled": "false" },
                    "b": { "command": "x", "url": "https://x/", "maxRetries": 11 },
                    "c": { "requestTimeoutMs": 999 }
                  }
                  "patchbay": { "names": "dottet", "limits": { "pagesMax": 0 } }
                }
                """;
        assertThat(findingLines(text))
                .containsExactly(
                        "3:43: error: mcpServers.a.args[1]: Must be a string, not a number."
                                + " Write it in double quotes.",
                        "3:58: error: mcpServers.a.enabled: Must be true or false, not a string."
                                + " Remove the quotes.",
                        "4:35: error: mcpServers.b.url: Both command and url are present. Keep"
                                + " command for a program to start, or url for a server that runs"
                                + " already.",
                        "4:63: error: mcpServers.b.maxRetries: The number is out of range. Write a"
                                + " whole number from 0 to 10.",
                        "5:10: error: mcpServers.c: Neither command nor url is present. Write"
                                + " \"command\": \"…\" for a program, or \"url\": \"https://…\".",
                        "5:32: error: mcpServers.c.requestTimeoutMs: The number is out of range."
                                + " Write a whole number from 1000 to 300000.",
                        "6:4: error: Missing comma after this value. Add a comma.",
                        "7:26: error: patchbay.names: \"dottet\" is not a valid value. Write"
                                + " dotted; or write one of auto, dotted, safe, bare.",
                        "7:60: error: patchbay.limits.pagesMax: The number is out of range. Write"
                                + " a whole number from 1 to 100000.");
    }

    @ParameterizedTest
    @CsvSource({
        "connectionTimeoutMs,1000,60000",
        "requestTimeoutMs,1000,300000",
        "maxRetries,0,10",
    })
    void rejectsNumbersOutOfRange(String key, long min, long max) {
        for (long good : new long[] {min, max}) {
            assertThat(
                            readValid(fileWithServer("\"command\":\"x\",\"" + key + "\":" + good))
                                    .findings())
                    .isEmpty();
        }
        for (var bad :
                List.of(min - 1 + "", max + 1 + "", max - 1 + ".5", "1e400", "9".repeat(99))) {
            assertThat(readErrors(fileWithServer("\"command\":\"x\",\"" + key + "\":" + bad)))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "comand,command",
        "Args,args",
        "max_retries,maxRetries",
        "environment,env",
        "serverUrl,url",
        "timeout,requestTimeoutMs",
    })
    void suggestsKnownKeyForUnknownOne(String key, String meant) {
        var file = readValid(fileWithServer("\"command\": \"x\", \"" + key + "\": 1"));
        assertThat(file.findings()).hasSize(1);
        assertThat(file.findings().getFirst().kind()).isEqualTo(Kind.UNKNOWN_KEY);
        assertThat(file.findings().getFirst().remedy())
                .isEqualTo("Write " + meant + " if that is meant");
    }

    @Test
    void suggestsNothingForUnrelatedKey() {
        var file = readValid(fileWithServer("\"command\": \"x\", \"autoApprove\": []"));
        assertThat(file.findings().getFirst().remedy()).isEqualTo("Remove it");
    }

    @Test
    void expandsEditorVariables() {
        var file = readValid(fileWithServer("\"command\": \"${env:HOME}/x\""));
        assertThat(file.configuration().servers().getFirst().transport())
                .isEqualTo(new Transport.Stdio("/home/kim/x", List.of(), Map.of(), null));
        assertThat(file.findings())
                .extracting(Finding::kind)
                .containsExactly(Kind.FOREIGN_SPELLING);
        assertThat(
                        readErrors(
                                fileWithServer(
                                        "\"command\": \"x\", \"env\": {\"K\": \"${input:key}\"}")))
                .extracting(Finding::path)
                .containsExactly("mcpServers.one.env.K");
    }

    @ParameterizedTest
    @CsvSource({
        "my_server,my-server",
        "web.search,web-search",
        "_private,private",
        "a😀b,a-b",
        "@scope/name,scope-name",
    })
    void mapsIllegalIdWithNotice(String key, String id) {
        var file = readValid("{\"mcpServers\": {\"" + key + "\": {\"command\": \"x\"}}}");
        assertThat(file.configuration().servers().getFirst().id().value()).isEqualTo(id);
        assertThat(file.findings()).extracting(Finding::kind).containsExactly(Kind.MAPPED_ID);
        assertThat(file.findings().getFirst().problem()).contains(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a_b|a-b", "a-b|a_b", "a.b|a_b"})
    void rejectsKeysThatMapToSameId(String keys) {
        var both = keys.split("\\|", -1);
        var text =
                "{\"mcpServers\": {\"%s\": {\"command\": \"x\"},\n\"%s\": {\"command\": \"x\"}}}"
                        .formatted(both[0], both[1]);
        assertThat(readErrors(text)).extracting(Finding::kind).containsExactly(Kind.CONFLICT);
        assertThat(readErrors(text).getFirst().position()).isEqualTo(new TextPosition(2, 1));
        assertThat(readErrors(text).getFirst().problem()).contains("1:17");
    }

    @Test
    void rejectsDuplicateKey() {
        assertThat(
                        readErrors(
                                fileWithServer(
                                        "\"command\": \"x\", \"env\": {\"A\": \"1\",\n"
                                                + "\"A\": \"2\"}")))
                .extracting(Finding::toString)
                .containsExactly(
                        "2:1: error: mcpServers.one.env.A: Duplicate key; first used at 1:49."
                                + " Remove one of the two.");
    }

    @Test
    void rejectsReservedAndUnmappableIds() {
        assertThat(readErrors("{\"mcpServers\": {\"patchbay\": {\"command\": \"x\"}}}"))
                .extracting(Finding::kind)
                .containsExactly(Kind.ILLEGAL_ID);
        assertThat(readErrors("{\"mcpServers\": {\"日本\": {\"command\": \"x\"}}}"))
                .extracting(Finding::kind)
                .containsExactly(Kind.ILLEGAL_ID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"command\": \"/opt/patchbay/patchbay\", \"args\": [\"stdio\"]",
                "\"command\": \"cmd\", \"args\": [\"/c\", \"C:\\\\p\\\\patchbay.cmd\", \"stdio\"]",
                "\"command\": \"java\", \"args\": [\"-jar\", \"/x/patchbay.jar\", \"stdio\"]",
            })
    void ignoresEntryThatStartsPatchbay(String members) {
        var file = readValid("{\"mcpServers\": {\"patchbay\": {" + members + "}}}");
        assertThat(file.configuration().servers()).isEmpty();
        assertThat(file.findings()).extracting(Finding::kind).containsExactly(Kind.SELF);
    }

    @Test
    void acceptsConfiguredRepl() {
        var file = readValid(fileWithServer("\"command\": \"patchbay\", \"args\": [\"repl\"]"));
        assertThat(file.configuration().servers()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "/mcp", "ftp://x/", "http:///mcp", "http://x/#f", "http://a b/"})
    void rejectsInvalidServerUrl(String url) {
        assertThat(readErrors(fileWithServer("\"url\": \"" + url + "\""))).hasSize(1);
    }

    @Test
    void reportsWhyFileCannotBeRead(@TempDir Path folder) throws IOException {
        var reader = new ConfigReader(Map.of());
        assertThat(reader.read(folder.resolve("none")).findings())
                .extracting(Finding::toString)
                .containsExactly(
                        "1:1: error: The file does not exist. Create it, or choose another file.");
        assertThat(reader.read(folder).findings())
                .extracting(Finding::problem)
                .containsExactly("This is a folder");
        var large = Files.write(folder.resolve("large"), new byte[ConfigReader.FILE_BYTES_MAX + 1]);
        assertThat(reader.read(large).findings())
                .extracting(Finding::problem)
                .containsExactly("The file is larger than 1 MiB");
        assertThat(
                        reader.read("{\n \"ü\": \"ü\"}".getBytes(StandardCharsets.ISO_8859_1))
                                .findings())
                .extracting(Finding::position)
                .containsExactly(new TextPosition(2, 3));
        assertThat(reader.read("{}".getBytes(StandardCharsets.UTF_16)).findings())
                .extracting(Finding::problem)
                .containsExactly("The file is UTF-16");
    }

    @Test
    void environmentVariableOverridesNames() {
        var text = fileWithSettings("\"names\": \"dotted\"");
        var chosen = new ConfigReader(Map.of("PATCHBAY_NAMES", "safe")).read(text);
        assertThat(((ConfigReadResult.Valid) chosen).configuration().settings().names())
                .isEqualTo(PatchbaySettings.Names.SAFE);
        assertThat(new ConfigReader(Map.of("PATCHBAY_NAMES", "odd")).read(text).findings())
                .extracting(Finding::kind)
                .containsExactly(Kind.WRONG_VALUE);
    }

    @Test
    void warnsOfFileWithoutServers() {
        assertThat(findingLines("{}"))
                .containsExactly(
                        "1:1: warning: The file contains no servers."
                                + " Write \"mcpServers\": {…}.");
    }
}

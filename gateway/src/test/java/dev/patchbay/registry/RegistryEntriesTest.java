package dev.patchbay.registry;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.config.ServerKeyMapper;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.schema.CompilationResult;
import dev.patchbay.schema.InputSchema;
import dev.patchbay.schema.ValidationResult;
import dev.patchbay.server.ServerId;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Entries of all kinds become configurations that the program accepts, or have a reason. */
class RegistryEntriesTest {
    private static final long SEED = 20251211;
    private static final int GENERATED = 182;

    /** What the schema of 2025-12-11 asks of a {@code server.json}. */
    private static final InputSchema RULES = readRules();

    /** Entries that follow the schema and are unusual. */
    private static final List<String> ODD =
            List.of(
                    "{'name':'a.b/neither','description':'d','version':'1'}",
                    "{'name':'a.b/empty','description':'d','version':'1','packages':[],"
                            + "'remotes':[]}",
                    odd("cargo", "'registryType':'cargo','identifier':'x','version':'1.0.0'"),
                    odd("range", "'registryType':'npm','identifier':'x','version':'^1.0.0'"),
                    odd("star", "'registryType':'npm','identifier':'x','version':'1.x'"),
                    odd("flag", "'registryType':'npm','identifier':'--x','version':'1.0.0'"),
                    odd("untagged", "'registryType':'oci','identifier':'kim/weather'"),
                    odd(
                            "own-index",
                            "'registryType':'pypi','identifier':'x','version':'1.0',"
                                    + "'registryBaseUrl':'https://pypi.example.com/simple'"),
                    odd(
                            "hints",
                            "'registryType':'pypi','identifier':'x','version':'1.0',"
                                    + "'runtimeHint':'python'"),
                    odd(
                            "old-names",
                            "'registryType':'npm','identifier':'x','version':'1.0',"
                                    + "'environment_variables':[{'name':'K','is_required':true}]"),
                    odd(
                            "dotted",
                            "'registryType':'npm','identifier':'x','version':'1.0',"
                                    + "'packageArguments':[{'type':'positional','value':''}]"),
                    odd(
                            "podman",
                            "'registryType':'oci','identifier':'quay.io/a/b:1',"
                                    + "'runtimeHint':'podman'"),
                    odd(
                            "by-version",
                            "'registryType':'oci','identifier':'a/b','version':'1.0.0',"
                                    + "'registryBaseUrl':'https://ghcr.io'"),
                    "{'name':'a.b/_','description':'d','version':'1','remotes':[{'type':'sse',"
                            + "'url':'https://example.com/events?x=1'}]}",
                    "{'name':'a.b/---.x','description':'d','version':'1','remotes':[{'type':'sse',"
                            + "'url':'https://example.com/events'}]}",
                    "{'name':'a.b/PORT','description':'d','version':'1','remotes':[{'type':"
                            + "'streamable-http','url':'http://example.com:8080/mcp'}]}",
                    "{'name':'a.b/"
                            + "x".repeat(150)
                            + "','description':'d','version':'1','remotes':[{'type':"
                            + "'streamable-http','url':'https://example.com/mcp'}]}",
                    "{'name':'a.b/local-http','description':'d','version':'1','packages':[{"
                            + "'registryType':'npm','identifier':'x','version':'1.0','transport':{"
                            + "'type':'streamable-http','url':'http://127.0.0.1:{port}/mcp'}}],"
                            + "'remotes':[{'type':'streamable-http',"
                            + "'url':'https://example.com/mcp'}]}");

    private static String odd(String name, String members) {
        return ("{'name':'a.b/%s','description':'d','version':'1',"
                        + "'packages':[{%s,'transport':{'type':'stdio'}}]}")
                .formatted(name, members);
    }

    @Test
    void nearlyAllEntriesGiveAConfigurationThatIsAccepted() throws Exception {
        var entries = new ArrayList<String>();
        ODD.forEach(it -> entries.add(it.replace('\'', '"')));
        var generator = new RegistryEntryGenerator(SEED);
        for (int i = 0; i < GENERATED; i++) {
            entries.add(generator.next(i));
        }
        var rejected = new ArrayList<String>();
        for (String entry : entries) {
            assertFollowsTheSchema(Json.of(entry));
            try {
                assertAccepted(plan(entry), entry);
            } catch (RegistryException e) {
                assertThat(e.getMessage()).as(entry).isNotBlank();
                rejected.add(e.getMessage());
            }
        }
        assertThat(entries).hasSize(200);
        assertThat(rejected).as("seed %d", SEED).hasSizeLessThanOrEqualTo(10);
    }

    static void assertFollowsTheSchema(Json entry) {
        assertThat(RULES.validate(entry))
                .as("%s", entry)
                .isInstanceOf(ValidationResult.Valid.class);
    }

    private static InputSchema readRules() {
        try (InputStream rules =
                Objects.requireNonNull(
                        RegistryEntriesTest.class.getResourceAsStream("server-json-rules.json"))) {
            Json schema = Json.of(new String(rules.readAllBytes(), UTF_8));
            return ((CompilationResult.Compiled) InputSchema.compile(schema)).schema();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerPlan plan(String text) throws Exception {
        RegistryEntry entry = RegistryEntry.read(Json.of(text));
        LaunchSource source = LaunchChooser.choose(entry, null, _ -> true);
        ServerId id = ServerKeyMapper.toServerId(entry.shortName());
        if (id == null) {
            throw new RegistryException("It needs another id");
        }
        LaunchTemplate launch =
                source instanceof LaunchSource.Ready(_, LaunchTemplate ready)
                        ? ready
                        : bundleLaunch();
        var answers = new InputAnswers();
        for (DeclaredInput input : answers.missing(launch.inputs())) {
            answers.add(input, answer(input));
        }
        return ServerPlanner.plan(id.value(), entry.description(), launch, answers);
    }

    private static LaunchTemplate bundleLaunch() throws Exception {
        String manifest =
                """
                {"manifest_version": "0.4", "name": "x", "server": {"type": "node",
                 "mcp_config": {"command": "node"}}}
                """;
        return BundleManifest.read(manifest.getBytes(UTF_8))
                .launch(Path.of("/bundles/x"), TestEnvironments.linux(), _ -> true);
    }

    private static String answer(DeclaredInput input) {
        if (!input.rules().choices().isEmpty()) {
            return input.rules().choices().getFirst();
        }
        return switch (input.rules().format()) {
            case NUMBER -> "7";
            case BOOLEAN -> "true";
            case STRING, FILEPATH -> "answer";
        };
    }

    /** The configuration has no errors, and no text of the registry refers to the user's values. */
    private static void assertAccepted(ServerPlan plan, String source) throws Exception {
        ConfigEntry entry = plan.entry();
        String file =
                new JsonWriter()
                        .beginObject()
                        .name("mcpServers")
                        .beginObject()
                        .member(entry.key(), entry.definition())
                        .endObject()
                        .endObject()
                        .toJson()
                        .toString();
        ConfigReadResult read = new ConfigReader(Map.of()).read(file.getBytes(UTF_8));
        assertThat(read.findings())
                .as("%s%n%s", source, file)
                .noneMatch(it -> it.severity() == Finding.Severity.ERROR);
        assertThat(read).isInstanceOf(ConfigReadResult.Valid.class);
        for (String secret : plan.secrets().keySet()) {
            assertThat(file).contains("${secret:" + secret + "}");
        }
        assertThat(file).doesNotContain("x${", " ${secret:x}", "\"${HOME}");
    }
}

package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import dev.patchbay.config.ConfigSchema;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec.ConfigFault;
import dev.patchbay.server.ServerSpec.Options;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The schema for editors and the reader say the same. */
class ConfigSchemaTest {
    private static final Json TEXT = Json.of(ConfigSchema.text());
    private static final Json SERVER = definition("server");
    private static final Json SETTINGS = definition("settings");
    private static final Schema SCHEMA =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(ConfigSchema.text(), InputFormat.JSON);

    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "false",
                    "0",
                    "-1",
                    "1",
                    "10",
                    "11",
                    "1.5",
                    "999",
                    "1000",
                    "1e4",
                    "60000",
                    "60001",
                    "300001",
                    "65536",
                    "2000000000",
                    "\"\"",
                    "\" \"",
                    "\"x\"",
                    "\"true\"",
                    "\"http\"",
                    "\"auto\"",
                    "\"none\"",
                    "\"debug\"",
                    "\"[::1]:80\"",
                    "\"http://x/\"",
                    "\"ftp://x/\"",
                    "[]",
                    "[\"a\"]",
                    "[1]",
                    "[[]]",
                    "{}",
                    "{\"a\": \"b\"}",
                    "{\"a\": 1}",
                    "{\"a=\": \"b\"}",
                    "{\"\": \"b\"}",
                    "{\"a\": null}");

    private static Json definition(String name) {
        return TEXT.member("$defs").member(name);
    }

    @Test
    void schemaAndReaderKnowSameServerKeys() {
        var fields = emptyObject();
        ServerReader.read(fields, new ServerId("one"), () -> List.of(new ConfigFault("", "", "")));
        assertThat(keys(SERVER)).isEqualTo(fields.knownPaths());
    }

    @Test
    void schemaAndReaderKnowSameSettings() {
        var fields = emptyObject();
        SettingsReader.read(fields);
        assertThat(keys(SETTINGS)).isEqualTo(fields.knownPaths());
    }

    @Test
    void schemaAndReaderKnowSameTopLevelKeys() {
        for (var key : keys(TEXT)) {
            assertThat(ConfigSamples.findingLines("{\"" + key + "\": {}}"))
                    .noneSatisfy(line -> assertThat(line).contains("not known"));
        }
        assertThat(keys(TEXT))
                .containsExactlyInAnyOrder(
                        "$schema", "inputs", "mcpServers", "patchbay", "servers");
    }

    @TestFactory
    Stream<DynamicTest> schemaAndReaderAgreeOnServerValues() {
        return keys(SERVER).stream()
                .map(key -> DynamicTest.dynamicTest(key, () -> assertAgreeOnServerKey(key)));
    }

    private static void assertAgreeOnServerKey(String key) {
        for (var value : VALUES) {
            for (var way : List.of("\"command\": \"c\"", "\"url\": \"https://x/\"", "")) {
                if (!way.startsWith("\"" + key + "\"")) {
                    var comma = way.isEmpty() ? "" : ", ";
                    assertSchemaAndReaderAgree(
                            ConfigSamples.fileWithServer(way + comma + member(key, value)));
                }
            }
        }
    }

    private static String member(String way, String value) {
        var dot = way.indexOf('.');
        return dot < 0
                ? "\"%s\": %s".formatted(way, value)
                : "\"%s\": {%s}"
                        .formatted(way.substring(0, dot), member(way.substring(dot + 1), value));
    }

    @TestFactory
    Stream<DynamicTest> schemaAndReaderAgreeOnSettingValues() {
        return keys(SETTINGS).stream()
                .map(key -> DynamicTest.dynamicTest(key, () -> assertAgreeOnSetting(key)));
    }

    private static void assertAgreeOnSetting(String key) {
        for (var value : VALUES) {
            var dot = key.indexOf('.');
            assertSchemaAndReaderAgree(
                    ConfigSamples.fileWithSettings(
                            dot < 0
                                    ? "\"" + key + "\": " + value
                                    : "\"%s\": {\"%s\": %s}"
                                            .formatted(
                                                    key.substring(0, dot),
                                                    key.substring(dot + 1),
                                                    value)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ConfigSamples.FULL,
                "{}",
                "{\"servers\": {}}",
                "{\"servers\": {}, \"mcpServers\": {}}",
                "{\"mcpservers\": {}}",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"comand\": \"y\"}}}",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"url\": \"http://x/\"}}}",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"type\": \"http\"}}}",
                "{\"mcpServers\": {\"a\": {\"url\": \"http://x/\", \"type\": \"local\"}}}",
                "{\"mcpServers\": {\"a\": {\"url\": \"${NOT_SET:-http://x/}\"}}}",
                "{\"mcpServers\": {\"my_server\": {\"command\": \"x\"}}}",
                "{\"mcpServers\": {\"…\": {\"command\": \"x\"}}}",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"enabled\": true, \"disabled\":"
                        + " false}}}",
                "{\"mcpServers\": []}",
                "{\"mcpServers\": {\"a\": \"x\"}}",
                "{\"patchbay\": {\"http\": {\"port\": 1}}}",
            })
    void schemaAndReaderAgreeOnWholeFiles(String text) {
        assertSchemaAndReaderAgree(text);
    }

    @Test
    void schemaDefaultsMatchReaderDefaults() {
        var server = defaults(SERVER, Map.of("command", "c")).toString();
        var file =
                ConfigSamples.readValid(
                        "{\"mcpServers\": {\"one\": %s}, \"patchbay\": %s}"
                                .formatted(server, defaults(SETTINGS, Map.of())));
        assertThat(file.configuration().settings()).isEqualTo(PatchbaySettings.DEFAULTS);
        assertThat(file.configuration().servers().getFirst().options()).isEqualTo(Options.DEFAULTS);
        assertThat(server).contains("requestTimeoutMs", "maxRetries", "tags");
    }

    @Test
    void everyKeyHasDescription() {
        for (var definition : List.of(SERVER, SETTINGS)) {
            for (var member : definition.member("properties").members()) {
                assertThat(member.value().memberText("description")).as(member.name()).isNotBlank();
            }
        }
    }

    private static void assertSchemaAndReaderAgree(String text) {
        var findings = ConfigSamples.read(text).findings();
        boolean good =
                findings.stream().noneMatch(f -> f.isError() || f.kind() == Kind.UNKNOWN_KEY);
        var json =
                SyntaxNodeJson.toJson(JsoncParser.parse(text, new FindingCollector(text)))
                        .toString();
        var errors = SCHEMA.validate(json, InputFormat.JSON);
        assertThat(errors.isEmpty())
                .as("%s\nreader: %s\nschema: %s", text, findings, errors)
                .isEqualTo(good);
    }

    private static ObjectReader emptyObject() {
        var table = new SyntaxNode.ObjectNode(0, 2, List.of());
        return new ObjectReader(
                table, "", new FindingCollector("{}"), new VariableExpander(Map.of()));
    }

    private static Set<String> keys(Json definition) {
        var keys = new TreeSet<String>();
        for (var member : definition.member("properties").members()) {
            keys.add(member.name());
            if (member.value().member("properties") != null) {
                keys(member.value()).forEach(inner -> keys.add(member.name() + "." + inner));
            }
        }
        return keys;
    }

    private static Json defaults(Json definition, Map<String, String> more) {
        var json = new JsonWriter().beginObject();
        more.forEach(json::member);
        for (var member : definition.member("properties").members()) {
            if (member.value().member("properties") != null) {
                json.member(member.name(), defaults(member.value(), Map.of()));
            } else if (member.value().member("default") != null) {
                json.member(member.name(), member.value().member("default"));
            }
        }
        return json.endObject().toJson();
    }
}

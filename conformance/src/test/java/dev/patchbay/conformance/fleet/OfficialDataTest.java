package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.JsonSuiteConversation;
import dev.patchbay.conformance.wire.ProtocolSchema;
import dev.patchbay.conformance.wire.WireMatrixCase;
import dev.patchbay.testkit.TestData;
import dev.patchbay.testkit.TestData.JsonSuiteFile;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Data of others, from npm: the official schemas of MCP, which are part of the official conformance
 * suite, and JSONTestSuite.
 */
@Tag("fleet")
class OfficialDataTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final JsonMapper MAPPER = new JsonMapper();

    /**
     * Types that are not as in the suite's copy. The final schema of 2025 has fractions in
     * NumberSchema, and the final schema of 2026 renamed the type of some metadata.
     */
    private static final Set<String> DIFFERENT =
            Set.of(
                    "2025-06-18 NumberSchema",
                    "2025-11-25 NumberSchema",
                    "2026-07-28 SubscriptionsListenResult",
                    "2026-07-28 SubscriptionsListenResultMetaObject");

    /** The files of JSONTestSuite that the package has without loss: those that are UTF-8. */
    private static final int JSON_SUITE_FILES = 293;

    @TempDir private static Path folder;
    private static JsonNode data;

    @BeforeAll
    static void readData() throws IOException, InterruptedException {
        try (var scripts = new NodeScripts(NpmPackages.installed(), folder)) {
            var result = scripts.run(scripts.nodeCommand("official-data.mjs"), Map.of(), PATIENCE);
            assertThat(result.status()).as(result.toString()).isZero();
            data = MAPPER.readTree(result.out());
        }
    }

    @AfterAll
    static void releaseData() {
        data = null;
    }

    @Test
    void messageTypesAreThoseOfTheOfficialSchemas() {
        var different = new TreeSet<String>();
        var compared = new TreeSet<String>();
        for (Map.Entry<String, JsonNode> entry : data.get("schemas").properties()) {
            String version = entry.getKey();
            JsonNode official = entry.getValue();
            JsonNode types =
                    official.has("$defs") ? official.get("$defs") : official.get("definitions");
            for (Map.Entry<String, JsonNode> own :
                    ProtocolSchema.of(version).types().properties()) {
                JsonNode theirs = types.path(own.getKey());
                if (!SchemaText.of(own.getValue()).equals(SchemaText.of(theirs))) {
                    different.add(version + " " + own.getKey());
                }
            }
            compared.add(version);
        }
        assertThat(compared)
                .containsExactly("2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28");
        assertThat(different).containsExactlyInAnyOrderElementsOf(DIFFERENT);
    }

    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.JsonSuiteConversation#cells")
    void answersJsonTestSuiteWithTheRightErrors(WireMatrixCase cell) throws Exception {
        var files = new ArrayList<JsonSuiteFile>();
        for (JsonNode file : data.get("json")) {
            files.add(
                    TestData.jsonSuiteFile(
                            file.get("name").asString(), file.get("bytes").binaryValue()));
        }
        assertThat(files).hasSize(JSON_SUITE_FILES);
        JsonSuiteConversation.check(cell, List.copyOf(files));
    }
}

package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every feature in every pair of eras and transports: sixteen cases. The outcomes must match the
 * table in {@code docs/eras.md}; {@code -Dpatchbay.rewrite=true} rewrites it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EraMatrixTest {
    /** The outcome of each feature, by pair of eras. */
    private final FeatureTable observed =
            new FeatureTable(
                    "feature matrix",
                    " client → server ",
                    List.of(
                            "legacy → legacy",
                            "legacy → modern",
                            "modern → legacy",
                            "modern → modern"));

    private final List<String> faults = new ArrayList<>();
    private int caseCount;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void everyFeatureIsForwardedOrRefusedByName(boolean modern, boolean http) throws Exception {
        Path own = Files.createDirectory(folder.resolve(modern + "-" + http));
        try (BridgeFixture fixture = new BridgeFixture(own)) {
            for (String era : List.of("legacy", "modern")) {
                fixture.withServer(era + "-stdio", era, false, EraMatrixTest::configureServer);
                fixture.withServer(era + "-http", era, true, EraMatrixTest::configureServer);
            }
            EraClient client =
                    fixture.newClient(modern, http)
                            .withCapabilities(clientCapabilities())
                            .initialize();
            fixture.awaitListed(client);
            for (String era : List.of("legacy", "modern")) {
                for (String transport : List.of("stdio", "http")) {
                    String id = era + "-" + transport;
                    checkAllFeatures(
                            new EraMatrixCase(
                                    client,
                                    id,
                                    era.equals("modern"),
                                    transport.equals("http"),
                                    fixture.script(id)));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    /** The capabilities of the client in each case. */
    static String clientCapabilities() {
        String able = EraClient.DEFAULT_CAPABILITIES;
        return able.substring(0, able.length() - 1)
                + ",\"tasks\":{},\"extensions\":{\"com.example/x\":{\"v\":1},"
                + "\"io.modelcontextprotocol/tasks\":{}}}";
    }

    private static ServerScript configureServer(ServerScript script) {
        String id = script.name();
        return script.tools(
                        "echo",
                        "fail",
                        "rpcError",
                        "progress",
                        "hang",
                        "log",
                        "changed",
                        "updated",
                        "sample",
                        "sampleTools",
                        "elicit",
                        "elicitUrl",
                        "roots",
                        "ask",
                        "pingBack",
                        "notice")
                .withToolDefinitions(
                        InteractionFeatureChecks.toolsFile(
                                ServerFeatureChecks.RICH_TOOL.formatted(id)))
                .withOption("prompts", "greet")
                .withOption(
                        "resources", "test://%1$s/one,test://%1$s/two,ui://%1$s/view".formatted(id))
                .withOption("templates", "test://" + id + "/{x}")
                .withOption("page-size", 2)
                .withOption("ttl", 5000);
    }

    private void checkAllFeatures(EraMatrixCase cell) {
        caseCount++;
        Stream.of(
                        ServerFeatureChecks.all(),
                        TaskFeatureChecks.all(),
                        InteractionFeatureChecks.all())
                .flatMap(List::stream)
                .forEach(feature -> recordOutcome(cell, feature));
    }

    private void recordOutcome(EraMatrixCase cell, MatrixFeature feature) {
        String outcome;
        try {
            outcome = feature.check().run(cell);
        } catch (Exception | AssertionError e) {
            outcome = "✘";
            faults.add(
                    feature.name() + ", " + cell.eraPairLabel() + " " + cell.server() + ": " + e);
        }
        observed.recordOutcome(feature.name(), cell.eraPairLabel(), outcome);
    }

    @AfterAll
    void assertGuideMatches() throws IOException {
        if (caseCount < 16 || !faults.isEmpty()) {
            return; // not all was tried, or the tests have failed already
        }
        observed.assertMatchesGuide();
    }
}

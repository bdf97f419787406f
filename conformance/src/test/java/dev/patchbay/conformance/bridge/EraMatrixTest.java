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
 * Every feature in every pair of eras and of transports: sixteen cells. What the table in {@code
 * docs/eras.md} says is what was seen here; {@code -Dpatchbay.rewrite=true} writes it anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EraMatrixTest {
    /** What was seen of each feature, by the pair of eras. */
    private final SeenTable seen =
            new SeenTable(
                    "what crosses",
                    " client → server ",
                    List.of(
                            "legacy → legacy",
                            "legacy → modern",
                            "modern → legacy",
                            "modern → modern"));

    private final List<String> faults = new ArrayList<>();
    private int cells;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void everyFeatureCrossesOrIsRefusedByName(boolean modern, boolean http) throws Exception {
        Path own = Files.createDirectory(folder.resolve(modern + "-" + http));
        try (Site site = new Site(own)) {
            for (String era : List.of("legacy", "modern")) {
                site.server(era + "-stdio", era, false, EraMatrixTest::shaped);
                site.server(era + "-http", era, true, EraMatrixTest::shaped);
            }
            EraClient client = site.stranger(modern, http).declaring(declared()).begin();
            site.awaitListed(client);
            for (String era : List.of("legacy", "modern")) {
                for (String transport : List.of("stdio", "http")) {
                    String id = era + "-" + transport;
                    tryAll(
                            new Cell(
                                    client,
                                    id,
                                    era.equals("modern"),
                                    transport.equals("http"),
                                    site.script(id)));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    /** What the client of each cell declares. */
    static String declared() {
        String able = EraClient.ABLE;
        return able.substring(0, able.length() - 1)
                + ",\"tasks\":{},\"extensions\":{\"com.example/x\":{\"v\":1},"
                + "\"io.modelcontextprotocol/tasks\":{}}}";
    }

    private static ServerScript shaped(ServerScript script) {
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
                        "pingBack",
                        "notice")
                .defining(TalkFeatures.tools(ServerFeatures.RICH.formatted(id)))
                .with("prompts", "greet")
                .with("resources", "test://%1$s/one,test://%1$s/two,ui://%1$s/view".formatted(id))
                .with("templates", "test://" + id + "/{x}")
                .with("page-size", 2)
                .with("ttl", 5000);
    }

    private void tryAll(Cell cell) {
        cells++;
        Stream.of(ServerFeatures.all(), TaskFeatures.all(), TalkFeatures.all())
                .flatMap(List::stream)
                .forEach(feature -> note(cell, feature));
    }

    private void note(Cell cell, Feature feature) {
        String outcome;
        try {
            outcome = feature.trial().in(cell);
        } catch (Exception | AssertionError e) {
            outcome = "✘";
            faults.add(feature.name() + ", " + cell.eras() + " " + cell.server() + ": " + e);
        }
        seen.note(feature.name(), cell.eras(), outcome);
    }

    @AfterAll
    void theGuideSaysWhatWasSeen() throws IOException {
        if (cells < 16 || !faults.isEmpty()) {
            return; // not all was tried, or the tests have failed already
        }
        seen.assertInGuide();
    }
}

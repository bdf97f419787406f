package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.TestData;
import dev.patchbay.testkit.TestData.JsonSuiteFile;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

/** JSON texts of our own as live input; those of JSONTestSuite are in {@code OfficialDataTest}. */
class JsonTestSuiteTest {
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.JsonSuiteConversation#cells")
    void answersEveryFileWithTheRightError(WireMatrixCase cell) throws InterruptedException {
        List<JsonSuiteFile> files = TestData.jsonSuiteFiles();
        assertThat(files).hasSize(TestData.JSON_SUITE_FILES);
        JsonSuiteConversation.check(cell, files);
    }
}

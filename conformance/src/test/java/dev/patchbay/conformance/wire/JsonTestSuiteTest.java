package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.LineOracle;
import dev.patchbay.testkit.TestData;
import dev.patchbay.testkit.TestData.JsonSuiteFile;
import dev.patchbay.testkit.TestData.Verdict;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * JSON texts of our own and the files of JSONTestSuite as live input. None of them is a message:
 * JSON is an invalid request, anything else is a parse error, and a good request is answered after
 * each.
 */
class JsonTestSuiteTest {
    private static final int FILES_MIN = 800;

    /**
     * What RFC 8259 leaves open and we take as broken text: bytes that are not UTF-8, and marks.
     */
    private static final Set<String> BROKEN =
            Set.of(
                    "i_string_UTF-16LE_with_BOM.json",
                    "i_string_UTF-8_invalid_sequence.json",
                    "i_string_UTF8_surrogate_U+D800.json",
                    "i_string_invalid_utf-8.json",
                    "i_string_iso_latin_1.json",
                    "i_string_lone_utf8_continuation_byte.json",
                    "i_string_not_in_unicode_range.json",
                    "i_string_overlong_sequence_2_bytes.json",
                    "i_string_overlong_sequence_6_bytes.json",
                    "i_string_overlong_sequence_6_bytes_null.json",
                    "i_string_truncated-utf-8.json",
                    "i_string_utf16BE_no_BOM.json",
                    "i_string_utf16LE_no_BOM.json",
                    "i_structure_UTF-8_BOM_empty_object.json");

    /** All but those with batches, where some of the files are one. */
    static List<WireMatrixCase> cells() {
        return WireMatrixCase.gateways().stream().filter(cell -> !cell.allowsBatches()).toList();
    }

    @ParameterizedTest
    @MethodSource("cells")
    void answersEveryFileWithTheRightError(WireMatrixCase cell) throws Exception {
        List<JsonSuiteFile> files = TestData.jsonSuiteFiles();
        assertThat(files).hasSizeGreaterThan(FILES_MIN);
        try (var talk = CheckedConversation.open(cell)) {
            for (JsonSuiteFile file : files) {
                if (file.hasSeveralLines()) {
                    checkEachLine(talk, file);
                } else {
                    talk.expect(file.line(), expected(file, talk.oracle()));
                }
            }
            talk.finishAndCheck();
        }
    }

    private static ExpectedResponse expected(JsonSuiteFile file, LineOracle oracle) {
        if (file.isBlank()) {
            return new NoResponse();
        }
        boolean json =
                file.verdict() == Verdict.IMPLEMENTATION_DEFINED
                        ? !BROKEN.contains(file.name())
                        : file.verdict() == Verdict.VALID;
        // One of the files has a member named id, which is then the id of the invalid request.
        var answer = (SingleResponse) oracle.expect(file.line());
        return new SingleResponse(answer.ids(), Set.of(json ? -32600 : -32700), false, false);
    }

    /** On stdio a file with line feeds inside is several frames. */
    private static void checkEachLine(CheckedConversation talk, JsonSuiteFile file)
            throws InterruptedException {
        LineOracle oracle = talk.oracle();
        for (byte[] line : split(file.bytes())) {
            talk.expect(line, oracle.expect(line));
        }
    }

    private static List<byte[]> split(byte[] bytes) {
        var lines = new ArrayList<byte[]>();
        var line = new ByteArrayOutputStream();
        for (byte b : bytes) {
            if (b == '\n') {
                lines.add(line.toByteArray());
                line.reset();
            } else {
                line.write(b);
            }
        }
        lines.add(line.toByteArray());
        return lines;
    }
}

package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.LineOracle;
import dev.patchbay.testkit.TestData.JsonSuiteFile;
import dev.patchbay.testkit.TestData.Verdict;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Sends JSON texts that are no messages to the program. JSON is an invalid request, anything else
 * is a parse error, and a good request is answered after each.
 */
public final class JsonSuiteConversation {
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

    private JsonSuiteConversation() {}

    /** The gateway in every version but those with batches: some of the texts are a batch. */
    public static List<WireMatrixCase> cells() {
        return WireMatrixCase.gateways().stream().filter(cell -> !cell.allowsBatches()).toList();
    }

    /** Sends every file and checks the response to it. */
    public static void check(WireMatrixCase cell, List<JsonSuiteFile> files)
            throws InterruptedException {
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

package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.testkit.TestData.JsonSuiteFile;
import dev.patchbay.testkit.TestData.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class StrictJsonTest {
    @Test
    void agreesWithTheJsonSamples() {
        List<JsonSuiteFile> cases = TestData.jsonSuiteFiles();
        var wrong = new ArrayList<String>();
        for (JsonSuiteFile one : cases) {
            boolean accepted = StrictJson.tryParse(one.bytes()).isPresent();
            boolean wanted = one.verdict() == Verdict.VALID && !one.hasDuplicateNames();
            if (one.verdict() != Verdict.IMPLEMENTATION_DEFINED && accepted != wanted) {
                wrong.add(one.name());
            }
        }

        assertThat(cases).hasSize(TestData.JSON_SUITE_FILES);
        assertThat(wrong).isEmpty();
    }

    @Test
    void reportsTheBrokenRule() {
        assertThat(kind("{\"a\":1,\"\\u0061\":2}"))
                .isEqualTo(StrictJsonException.Kind.DUPLICATE_NAME);
        assertThat(kind("{\"a\":{\"b\":[{\"c\":1,\"c\":1}]}}"))
                .isEqualTo(StrictJsonException.Kind.DUPLICATE_NAME);
        assertThat(kind("[1] 2")).isEqualTo(StrictJsonException.Kind.SYNTAX);
        assertThat(kind("\uFEFF{}")).isEqualTo(StrictJsonException.Kind.SYNTAX);
        assertThat(kind("[".repeat(100_001) + "]".repeat(100_001)))
                .isEqualTo(StrictJsonException.Kind.TOO_DEEP);
        assertThatThrownBy(() -> StrictJson.parse(new byte[] {'"', (byte) 0xc0, (byte) 0xaf, '"'}))
                .isInstanceOfSatisfying(
                        StrictJsonException.class,
                        e -> assertThat(e.kind()).isEqualTo(StrictJsonException.Kind.UTF8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"b\":1,\"a\":[{},[],null,true,false]}",
                "[1.0,1e2,-0,18446744073709551617,0.1000]",
                "\"\\\"\\\\\\u0000\\u001f\u2028😀\\ud800\"",
            })
    void writesWhatItRead(String text) {
        assertThat(StrictJson.parse(text).write()).isEqualTo(text);
    }

    @Test
    void readsAndWritesMaximumDepth() {
        String deep = "[".repeat(StrictJson.DEPTH_MAX) + "]".repeat(StrictJson.DEPTH_MAX);
        assertThat(StrictJson.parse(deep).write()).isEqualTo(deep);
    }

    @Test
    void keepsTheSpellingOfRawValues() {
        byte[] line =
                "{ \"params\" : {\"arguments\": {\"a\" : 1.00, \"b\":\"\\u0041\"} } }"
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(StrictJson.rawValue(line, "params", "arguments"))
                .contains("{\"a\" : 1.00, \"b\":\"\\u0041\"}");
        assertThat(StrictJson.rawValue(line, "params", "name")).isEmpty();
    }

    private static StrictJsonException.Kind kind(String text) {
        try {
            StrictJson.parse(text);
        } catch (StrictJsonException e) {
            return e.kind();
        }
        throw new AssertionError("accepted: " + text);
    }
}

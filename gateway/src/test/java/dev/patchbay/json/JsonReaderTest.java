package dev.patchbay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.patchbay.json.JsonException.Fault;
import dev.patchbay.testkit.TestData;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

class JsonReaderTest {
    private static final JsonMapper JACKSON =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "0",
                "-0",
                "1.5e-7",
                "\"\"",
                "true",
                "false",
                "null",
                " [1 , 2 ] ",
                "{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]}}",
                "\"\\ud800\"",
                "\"\\u00e9é😀\"",
                "[[[[[[]]]]],{},\"\\\\\\\"\"]"
            })
    void acceptsJson(String text) throws JsonException {
        assertThat(read(text)).hasToString(text.strip());
    }

    static Stream<String> noJson() {
        return Stream.concat(brokenStructure().stream(), brokenScalars().stream());
    }

    private static List<String> brokenStructure() {
        return List.of(
                "",
                " ",
                "{",
                "}",
                "[",
                "]",
                "[1,]",
                "{,}",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "01",
                "+1",
                "-",
                "1.",
                ".5",
                "1e",
                "1e+",
                "tru");
    }

    private static List<String> brokenScalars() {
        return List.of(
                "nulll",
                "True",
                "'a'",
                "\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\t\"",
                "\"\u0000\"",
                "{}{}",
                "[] x",
                "[1 2]",
                "{\"a\":1 \"b\":2}",
                "[}",
                "{]",
                "// x\n1",
                "NaN",
                "\uFEFF{}",
                "[1,,2]",
                "0x1");
    }

    @ParameterizedTest
    @MethodSource("noJson")
    void rejectsInvalidJson(String text) {
        assertThat(faultOf(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(Fault.NOT_JSON);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ff",
                "c3",
                "c3 22",
                "c0 af",
                "e0 80 80",
                "ed a0 80",
                "ed bf bf",
                "f0 80 80 80",
                "f4 90 80 80",
                "f8 88 80 80 80",
                "80",
                "e2 82",
                "fe ff"
            })
    void rejectsInvalidUtf8(String hex) {
        byte[] inside = HexFormat.ofDelimiter(" ").parseHex(hex);
        byte[] bytes = new byte[inside.length + 2];
        bytes[0] = '"';
        System.arraycopy(inside, 0, bytes, 1, inside.length);
        bytes[bytes.length - 1] = '"';
        assertThat(faultOf(bytes)).isEqualTo(Fault.NOT_JSON);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}",
                "[{\"x\":{\"b\":1,\"c\":2,\"b\":3}}]",
                "{\"\":1,\"\":2}",
                "{\"\\ud83d\\ude00\":1,\"😀\":2}"
            })
    void detectsDuplicateName(String text) {
        assertThat(faultOf(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(Fault.DUPLICATE_NAME);
    }

    @Test
    void detectsDuplicateNameAmongMany() {
        var text = new StringBuilder("{");
        for (int i = 0; i < 100_000; i++) {
            text.append("\"k").append(i).append("\":{\"k1\":0},");
        }
        byte[] once = (text + "\"last\":0}").getBytes(StandardCharsets.UTF_8);
        byte[] twice = (text + "\"k77777\":0}").getBytes(StandardCharsets.UTF_8);
        assertThat(faultOf(once)).isNull();
        assertThat(faultOf(twice)).isEqualTo(Fault.DUPLICATE_NAME);
    }

    @Test
    void distinguishesTooDeepFromNotJson() {
        assertThat(faultOf(nested(500, "]"))).isNull();
        assertThat(faultOf(nested(501, "]"))).isEqualTo(Fault.TOO_DEEP);
        assertThat(faultOf(nested(1_000_000, "]"))).isEqualTo(Fault.TOO_DEEP);
        assertThat(faultOf(nested(10_000_000, ""))).isEqualTo(Fault.NOT_JSON);
    }

    @Test
    void exceptionHoldsValueThatIsOnlyTooDeep() {
        assertThat(valueOf("{\"a\": [1,\n2], \"deep\": %s}".formatted(deep(600))))
                .hasToString("{\"a\":[1,2],\"deep\":" + deep(600) + "}");
        assertThat(valueOf(deep(1_000_000)).isDeeperThan(999_999)).isTrue();
        assertThat(valueOf(deep(1_000_000)).isDeeperThan(1_000_000)).isFalse();
        assertThat(valueOf("{\"a\":1,\"a\":2,\"deep\":%s}".formatted(deep(600)))).isNull();
        assertThat(valueOf("{\"deep\":%s,\"a\":1,\"a\":2}".formatted(deep(600)))).isNull();
        assertThat(valueOf("[%s,%s]".formatted(deep(600), "7".repeat(2_000)))).isNull();
    }

    private static String deep(int levels) {
        return "[".repeat(levels) + "]".repeat(levels);
    }

    /** What comes with the refusal of a text. */
    private static Json valueOf(String text) {
        try {
            Json _ = Json.parse(text.getBytes(StandardCharsets.UTF_8));
            throw new AssertionError("It is taken");
        } catch (JsonException e) {
            return e.value();
        }
    }

    @Test
    void rejectsNumberThatIsTooLong() {
        byte[] digits = new byte[1_000_000];
        Arrays.fill(digits, (byte) '7');
        assertThat(faultOf(digits)).isEqualTo(Fault.NUMBER_TOO_LONG);
        assertThat(faultOf("1e999999999".getBytes(StandardCharsets.US_ASCII))).isNull();
    }

    @Test
    void removesLineBreaks() throws JsonException {
        Json value = read("{\r\n  \"a\" : \"x y\\n\",\n \"b\":[ 1 ]\n}\n");
        assertThat(value).hasToString("{\"a\":\"x y\\n\",\"b\":[1]}");
    }

    @Test
    void reportsOffset() {
        assertThatThrownBy(() -> read("[1, x]")).hasMessage("No JSON value at byte 4");
    }

    @TestFactory
    Stream<DynamicTest> agreesWithJsonTestSuite() {
        List<TestData.JsonSuiteFile> files = TestData.jsonSuiteFiles();
        assertThat(files).hasSize(TestData.JSON_SUITE_FILES);
        return files.stream().map(it -> DynamicTest.dynamicTest(it.name(), () -> check(it)));
    }

    private static void check(TestData.JsonSuiteFile file) {
        Fault fault = faultOf(file.bytes());
        switch (file.verdict()) {
            case VALID ->
                    assertThat(fault)
                            .isEqualTo(file.hasDuplicateNames() ? Fault.DUPLICATE_NAME : null);
            case INVALID -> assertThat(fault).isEqualTo(Fault.NOT_JSON);
            case IMPLEMENTATION_DEFINED ->
                    assertThat(fault).isIn(null, Fault.NOT_JSON, Fault.TOO_DEEP);
        }
    }

    /** Mutated texts: what we accept Jackson accepts, and what Jackson refuses we refuse. */
    @Test
    void agreesWithJacksonOnMutatedTexts() {
        long seed = System.nanoTime();
        var random = new SplittableRandom(seed);
        String[] corpus = {
            "{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"m\",\"params\":{\"a\":[1,-2.5e3]}}",
            "[true,false,null,\"\\u00e9\\n\",{\"x\":{},\"y\":[]}]"
        };
        for (int i = 0; i < 50_000; i++) {
            byte[] text = corpus[i % 2].getBytes(StandardCharsets.US_ASCII);
            for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
                text[random.nextInt(text.length)] = (byte) random.nextInt(0x20, 0x7F);
            }
            assertThat(faultOf(text) == null)
                    .as("seed %d: %s", seed, new String(text, StandardCharsets.US_ASCII))
                    .isEqualTo(jacksonAccepts(text));
        }
    }

    private static boolean jacksonAccepts(byte[] text) {
        try {
            return !JACKSON.readTree(text).isMissingNode();
        } catch (JacksonException _) {
            return false;
        }
    }

    private static byte[] nested(int depth, String close) {
        return ("[".repeat(depth) + close.repeat(depth)).getBytes(StandardCharsets.US_ASCII);
    }

    private static Json read(String text) throws JsonException {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Fault faultOf(byte[] text) {
        var thrown = catchThrowableOfType(JsonException.class, () -> Json.parse(text));
        return thrown == null ? null : thrown.fault();
    }
}

package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.schema.CompilationResult.Unusable;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A hostile schema costs its own tool, and hardly any time. */
class HostileSchemaTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource
    void hostileSchemaIsRejectedWithReason(String name, String schema, String reason) {
        CompilationResult result =
                TestSchemas.withinTimeLimit(() -> InputSchema.compile(Json.of(schema)));
        assertThat(result).isInstanceOf(Unusable.class);
        assertThat(((Unusable) result).reason()).contains(reason).hasSizeLessThan(500);
    }

    static Stream<Arguments> hostileSchemaIsRejectedWithReason() {
        return Stream.of(loops(), sizes(), foreign(), patterns()).flatMap(part -> part);
    }

    private static Stream<Arguments> loops() {
        return Stream.of(
                rejected("reference to itself", "{'$ref':'#'}", "refers to itself"),
                rejected(
                        "references to each other",
                        "{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/b'},"
                                + "'b':{'$ref':'#/$defs/a'}}}",
                        "refers to itself"),
                rejected("allOf itself", "{'allOf':[{'$ref':'#'}]}", "refers to itself"),
                rejected("anyOf itself", "{'anyOf':[{},{'$ref':'#'}]}", "refers to itself"),
                rejected("not itself", "{'not':{'$ref':'#'}}", "refers to itself"),
                rejected("if itself", "{'if':{'$ref':'#'}}", "refers to itself"),
                rejected(
                        "depends on itself",
                        "{'dependentSchemas':{'a':{'$ref':'#'}}}",
                        "refers to itself"),
                rejected(
                        "dynamic reference to itself",
                        "{'$dynamicAnchor':'a','$dynamicRef':'#a'}",
                        "refers to itself"),
                rejected("allOf doubled 24 times", doubled("allOf", 24), "applies more than"),
                rejected("oneOf doubled 30 times", doubled("oneOf", 30), "applies more than"),
                rejected("chain of 4,000 references", chain(4_000), "refers through more than"));
    }

    private static Stream<Arguments> sizes() {
        return Stream.of(
                rejected(
                        "65 schemas deep",
                        "{'not':".repeat(65) + "{}" + "}".repeat(65),
                        "deeper than 64"),
                rejected(
                        "400 schemas deep",
                        "{'items':".repeat(400) + "{}" + "}".repeat(400),
                        "deeper than 64"),
                rejected(
                        "5,001 schemas",
                        "{'anyOf':[" + "{},".repeat(5_000) + "{}]}",
                        "more than 5000 schemas"),
                rejected(
                        "257 KiB",
                        "{'description':'" + "x".repeat(257 * 1024) + "'}",
                        "larger than 262144 bytes"));
    }

    private static Stream<Arguments> foreign() {
        return Stream.of(
                rejected("http", "{'$ref':'http://127.0.0.1:1/x.json'}", "which is not fetched"),
                rejected(
                        "https",
                        "{'$ref':'https://example.com/x.json#/a'}",
                        "which is not fetched"),
                rejected("file", "{'$ref':'file:///etc/passwd'}", "which is not fetched"),
                rejected("jar", "{'$ref':'jar:file:/a.jar!/b'}", "which is not fetched"),
                rejected("relative", "{'$ref':'other.json'}", "which is not fetched"),
                rejected(
                        "id of a file",
                        "{'$id':'file:///etc/','$ref':'passwd'}",
                        "which is not fetched"),
                rejected(
                        "dynamic",
                        "{'$dynamicRef':'http://127.0.0.1:1/#a'}",
                        "which is not fetched"),
                rejected("unused", "{'$defs':{'a':{'$ref':'http://h/'}}}", "/$defs/a/$ref"),
                rejected(
                        "unknown dialect",
                        "{'$schema':'https://example.com/mine'}",
                        "is not supported"),
                rejected(
                        "dialect is a file",
                        "{'$schema':'file:///etc/passwd'}",
                        "is not supported"),
                rejected("nothing there", "{'$ref':'#/$defs/none'}", "refers to nothing"),
                rejected("no such anchor", "{'$ref':'#none'}", "refers to nothing"),
                rejected("no schema there", "{'$ref':'#/title','title':'x'}", "must be a schema"));
    }

    private static Stream<Arguments> patterns() {
        return Stream.of(
                rejected("refers back", negated("^(a+)+\\\\1b$"), "refers back"),
                rejected("refers back far", negated("^((a+)+)\\\\2?$"), "refers back"),
                rejected("refers back by name", negated("(?<n>a+)\\\\k<n>"), "refers back"),
                rejected(
                        "refers back in the name of a property",
                        "{'patternProperties':{'(a)\\\\1':{}}}",
                        "refers back"),
                rejected("repeats of repeats", pattern("((a{1000}){1000}){1000}"), "too large"),
                rejected("repeats in sum", pattern("a{90000}"), "too large"),
                rejected("200 groups deep", pattern("(".repeat(200) + ")".repeat(200)), "deeper"),
                rejected("no expression", pattern("("), "without its )"),
                rejected(
                        "many large patterns",
                        IntStream.range(0, 2_000)
                                .mapToObj(i -> "'(x" + i + "){9999}':{}")
                                .collect(Collectors.joining(",", "{'patternProperties':{", "}}")),
                        "too large"));
    }

    private static Arguments rejected(String name, String schema, String reason) {
        return Arguments.of(name, schema.replace('\'', '"'), reason);
    }

    private static String negated(String pattern) {
        return "{'not':" + pattern(pattern) + "}";
    }

    private static String pattern(String pattern) {
        return "{'pattern':'" + pattern + "'}";
    }

    private static String doubled(String word, int times) {
        String rest =
                IntStream.range(0, times)
                        .mapToObj(
                                i ->
                                        "'a%d':{'%s':[R,R]}"
                                                .formatted(i, word)
                                                .replace("R", ref(i + 1)))
                        .collect(Collectors.joining(","));
        return "{'$ref':'#/$defs/a0','$defs':{" + rest + ",'a" + times + "':{}}}";
    }

    private static String chain(int length) {
        return IntStream.range(0, length)
                .mapToObj(i -> "'a%d':%s".formatted(i, ref(i + 1)))
                .collect(
                        Collectors.joining(
                                ",", "{'$ref':'#/$defs/a0','$defs':{", ",'a" + length + "':{}}}"));
    }

    private static String ref(int number) {
        return "{'$ref':'#/$defs/a" + number + "'}";
    }
}

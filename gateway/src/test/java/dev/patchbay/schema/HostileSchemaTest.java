package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.schema.Compilation.Unusable;

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
    void isRefusedWithAReason(String name, String schema, String reason) {
        Compilation result = Schemas.inTime(() -> InputSchema.compile(Json.of(schema)));
        assertThat(result).isInstanceOf(Unusable.class);
        assertThat(((Unusable) result).reason()).contains(reason).hasSizeLessThan(500);
    }

    static Stream<Arguments> isRefusedWithAReason() {
        return Stream.of(loops(), sizes(), foreign(), patterns()).flatMap(part -> part);
    }

    private static Stream<Arguments> loops() {
        return Stream.of(
                refused("reference to itself", "{'$ref':'#'}", "leads back to itself"),
                refused(
                        "references to each other",
                        "{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/b'},"
                                + "'b':{'$ref':'#/$defs/a'}}}",
                        "leads back to itself"),
                refused("allOf itself", "{'allOf':[{'$ref':'#'}]}", "leads back to itself"),
                refused("anyOf itself", "{'anyOf':[{},{'$ref':'#'}]}", "leads back to itself"),
                refused("not itself", "{'not':{'$ref':'#'}}", "leads back to itself"),
                refused("if itself", "{'if':{'$ref':'#'}}", "leads back to itself"),
                refused(
                        "depends on itself",
                        "{'dependentSchemas':{'a':{'$ref':'#'}}}",
                        "leads back to itself"),
                refused(
                        "dynamic reference to itself",
                        "{'$dynamicAnchor':'a','$dynamicRef':'#a'}",
                        "leads back to itself"),
                refused("allOf doubled 24 times", doubled("allOf", 24), "applies more than"),
                refused("oneOf doubled 30 times", doubled("oneOf", 30), "applies more than"),
                refused("chain of 4,000 references", chain(4_000), "leads through more than"));
    }

    private static Stream<Arguments> sizes() {
        return Stream.of(
                refused(
                        "65 schemas deep",
                        "{'not':".repeat(65) + "{}" + "}".repeat(65),
                        "deeper than 64"),
                refused(
                        "400 schemas deep",
                        "{'items':".repeat(400) + "{}" + "}".repeat(400),
                        "deeper than 64"),
                refused(
                        "5,001 schemas",
                        "{'anyOf':[" + "{},".repeat(5_000) + "{}]}",
                        "more than 5000 schemas"),
                refused(
                        "257 KiB",
                        "{'description':'" + "x".repeat(257 * 1024) + "'}",
                        "larger than 262144 bytes"));
    }

    private static Stream<Arguments> foreign() {
        return Stream.of(
                refused("http", "{'$ref':'http://127.0.0.1:1/x.json'}", "nothing is fetched"),
                refused("https", "{'$ref':'https://example.com/x.json#/a'}", "nothing is fetched"),
                refused("file", "{'$ref':'file:///etc/passwd'}", "nothing is fetched"),
                refused("jar", "{'$ref':'jar:file:/a.jar!/b'}", "nothing is fetched"),
                refused("relative", "{'$ref':'other.json'}", "nothing is fetched"),
                refused(
                        "id of a file",
                        "{'$id':'file:///etc/','$ref':'passwd'}",
                        "nothing is fetched"),
                refused("dynamic", "{'$dynamicRef':'http://127.0.0.1:1/#a'}", "nothing is fetched"),
                refused("unused", "{'$defs':{'a':{'$ref':'http://h/'}}}", "/$defs/a/$ref"),
                refused(
                        "unknown dialect",
                        "{'$schema':'https://example.com/mine'}",
                        "not known here"),
                refused("dialect is a file", "{'$schema':'file:///etc/passwd'}", "not known here"),
                refused("nothing there", "{'$ref':'#/$defs/none'}", "leads to nothing"),
                refused("no such anchor", "{'$ref':'#none'}", "leads to nothing"),
                refused("no schema there", "{'$ref':'#/title','title':'x'}", "must be a schema"));
    }

    private static Stream<Arguments> patterns() {
        return Stream.of(
                refused("refers back", pattern("^(a+)+\\\\1b$"), "refers back"),
                refused("refers back far", pattern("^((a+)+)\\\\2?$"), "refers back"),
                refused("refers back by name", pattern("(?<n>a+)\\\\k<n>"), "refers back"),
                refused("repeats of repeats", pattern("((a{1000}){1000}){1000}"), "too large"),
                refused("repeats in sum", pattern("a{90000}"), "too large"),
                refused("200 groups deep", pattern("(".repeat(200) + ")".repeat(200)), "deeper"),
                refused("no expression", pattern("("), "without its )"),
                refused(
                        "many large patterns",
                        IntStream.range(0, 2_000)
                                .mapToObj(i -> "'(x" + i + "){9999}':{}")
                                .collect(Collectors.joining(",", "{'patternProperties':{", "}}")),
                        "too large"));
    }

    private static Arguments refused(String name, String schema, String reason) {
        return Arguments.of(name, schema.replace('\'', '"'), reason);
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

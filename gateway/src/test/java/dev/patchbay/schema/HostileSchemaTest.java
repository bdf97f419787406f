package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.patchbay.json.Json;
import dev.patchbay.schema.Compilation.Compiled;
import dev.patchbay.schema.Compilation.Unusable;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A hostile schema costs its own tool, and hardly any time. */
class HostileSchemaTest {
    /** Far above what is spent, for a busy machine; far below what an attack would cost. */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void isRefusedWithAReason(String name, String schema, String reason) {
        Compilation result =
                assertTimeoutPreemptively(DEADLINE, () -> InputSchema.compile(Json.of(schema)));
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

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void endsInTime(String name, String schema, String arguments, String verdict) {
        Json checked = Json.of(arguments);
        var compilation = InputSchema.compile(Json.of(schema));
        assertThat(compilation).isInstanceOf(Compiled.class);
        InputSchema compiled = ((Compiled) compilation).schema();
        Verdict result = assertTimeoutPreemptively(DEADLINE, () -> compiled.check(checked));
        assertThat(result.getClass().getSimpleName()).isEqualTo(verdict);
    }

    static Stream<Arguments> endsInTime() {
        return Stream.of(
                ends(
                        "lazy groups",
                        pattern("^(.*?,){12}P"),
                        "'" + "1,".repeat(26) + "'",
                        "Invalid"),
                ends(
                        "stars in stars",
                        pattern("(.*a){12}x"),
                        "'" + "a".repeat(40) + "'",
                        "Invalid"),
                ends("plus in plus", pattern("^(a+)+$"), "'" + "a".repeat(5_000) + "!'", "Invalid"),
                ends("choices", pattern("^(a|a|b)*$"), "'" + "a".repeat(50_000) + "!'", "Invalid"),
                ends(
                        "looks ahead in looks ahead",
                        pattern("(?=.*(?=.*(?=.*(?=.*(?=.*x)))))y"),
                        "'" + "a".repeat(3_000) + "'",
                        "Undecided"),
                ends(
                        "pattern for each of many names",
                        "{'patternProperties':{'(a|b|ab)*c':false}}",
                        "{" + numbered("'" + "ab".repeat(20), "':1", 20_000) + "}",
                        "Undecided"),
                ends(
                        "doubled for each level",
                        "{'$defs':{'a':{'properties':{'n':{'allOf':["
                            + "{'$ref':'#/$defs/a'},{'$ref':'#/$defs/a'}]}}}},'$ref':'#/$defs/a'}",
                        "{'n':".repeat(60) + "1" + "}".repeat(60),
                        "Undecided"),
                ends(
                        "dynamic reference around",
                        "{'$id':'http://h/a','$dynamicAnchor':'x','$ref':'b','$defs':{'b':{'$id':'b',"
                            + "'allOf':[{'$dynamicRef':'#x'}],'$defs':{'y':{'$dynamicAnchor':'x'}}}}}",
                        "{}",
                        "Undecided"),
                ends("60,000 unique items", "{'uniqueItems':true}", numbers(60_000), "Valid"),
                ends(
                        "60,000 unique objects",
                        "{'uniqueItems':true}",
                        "[" + numbered("{'a':", "}", 60_000) + "]",
                        "Valid"),
                ends(
                        "2,000,000 items",
                        "{'items':{'type':'integer'}}",
                        "[" + "1,".repeat(1_999_999) + "1]",
                        "Undecided"),
                ends(
                        "many alternatives for many items",
                        "{'items':{'anyOf':["
                                + "{'type':'string'},".repeat(999)
                                + "{'const':'x'}]}}",
                        numbers(20_000),
                        "Invalid"),
                ends(
                        "numbers that do not fit anywhere",
                        "{'items':{'multipleOf':1e-999,'minimum':-1e999999999,'type':'integer'}}",
                        "[" + "9e999999999,".repeat(9_999) + "0]",
                        "Valid"),
                ends(
                        "digits without an end",
                        "{'items':{'multipleOf':0." + "3".repeat(900) + "}}",
                        "[" + ("7".repeat(990) + ",").repeat(1_000) + "0]",
                        "Invalid"),
                ends(
                        "500 levels of data",
                        "{'$ref':'#/$defs/a','$defs':{'a':{'type':'array','items':{'$ref':'#/$defs/a'}}}}",
                        "[".repeat(500) + "]".repeat(500),
                        "Valid"),
                ends(
                        "500 levels of large data",
                        "{'$ref':'#/$defs/a','$defs':{'a':{'type':'array','items':{'$ref':'#/$defs/a'}}}}",
                        "[".repeat(499) + "['" + "x".repeat(8_000_000) + "']" + "]".repeat(499),
                        "Undecided"),
                ends(
                        "500 levels through 60 schemas each",
                        "{'$ref':'#/$defs/a','$defs':{'a':"
                                + "{'allOf':[".repeat(60)
                                + "{'items':{'$ref':'#/$defs/a'}}"
                                + "]}".repeat(60)
                                + "}}",
                        "[".repeat(500) + "]".repeat(500),
                        "Undecided"),
                ends(
                        "unevaluated in every corner",
                        "{'$ref':'#/$defs/a','$defs':{'a':{'anyOf':[{'properties':{'n':{'$ref':'#/$defs/a'}}},"
                            + "{'items':{'$ref':'#/$defs/a'}}],'unevaluatedProperties':{'$ref':'#/$defs/a'}}}}",
                        "{'m':".repeat(400) + "1" + "}".repeat(400),
                        "Valid"),
                ends(
                        "a violation for each of many",
                        "{'items':{'type':'string'}}",
                        "[" + "1,".repeat(300_000) + "1]",
                        "Invalid"),
                ends(
                        "nulls below nulls",
                        "{'$ref':'#/$defs/a','$defs':{'a':{'properties':{'x':{'type':'string'},"
                                + "'n':{'$ref':'#/$defs/a'}}}}}",
                        "{'x':null,'n':".repeat(400) + "{}" + "}".repeat(400),
                        "Valid"));
    }

    private static Arguments refused(String name, String schema, String reason) {
        return Arguments.of(name, schema.replace('\'', '"'), reason);
    }

    private static Arguments ends(String name, String schema, String arguments, String verdict) {
        return Arguments.of(name, schema.replace('\'', '"'), arguments.replace('\'', '"'), verdict);
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

    private static String numbers(int count) {
        return "[" + numbered("", "", count) + "]";
    }

    private static String numbered(String before, String behind, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> before + i + behind)
                .collect(Collectors.joining(","));
    }
}

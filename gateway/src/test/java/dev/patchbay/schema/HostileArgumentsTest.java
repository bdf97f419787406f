package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A check ends in time, whatever the arguments and the schema have in mind together. */
class HostileArgumentsTest {
    private static final String SELF = "{'$ref':'#/$defs/a'}";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void validationEndsInTime(String name, String schema, String arguments, String verdict) {
        Json checked = Json.of(arguments);
        InputSchema compiled = TestSchemas.compiled(schema);
        ValidationResult result = TestSchemas.withinTimeLimit(() -> compiled.validate(checked));
        assertThat(result.getClass().getSimpleName()).isEqualTo(verdict);
    }

    static Stream<Arguments> validationEndsInTime() {
        return Stream.of(patterns(), loops(), sizes(), depths()).flatMap(part -> part);
    }

    private static Stream<Arguments> patterns() {
        return Stream.of(
                testCase("lazy groups", pattern("^(.*?,){12}P"), text("1,", 26), "Invalid"),
                testCase("stars in stars", pattern("(.*a){12}x"), text("a", 40), "Invalid"),
                testCase("plus in plus", pattern("^(a+)+b$"), text("a", 5_000), "Invalid"),
                testCase("choices", pattern("^(a|a|b)*c$"), text("a", 50_000), "Invalid"),
                testCase(
                        "a star over a megabyte", pattern("^[a-z]*$"), text("a", 500_000), "Valid"),
                testCase(
                        "looks ahead in looks ahead",
                        pattern("(?=.*(?=.*(?=.*(?=.*(?=.*x)))))y"),
                        text("a", 3_000),
                        "Undecided"),
                testCase(
                        "pattern for each of many names",
                        "{'patternProperties':{'(a|b|ab)*c':false}}",
                        "{" + numbered("'" + "ab".repeat(20), "':1", 20_000) + "}",
                        "Undecided"));
    }

    private static Stream<Arguments> loops() {
        return Stream.of(
                testCase(
                        "doubled for each level",
                        recursive("{'properties':{'n':{'allOf':[SELF,SELF]}}}"),
                        "{'n':".repeat(60) + "1" + "}".repeat(60),
                        "Undecided"),
                testCase(
                        "dynamic reference around",
                        """
                        {"$id":"http://h/a","$dynamicAnchor":"x","$ref":"b","$defs":{
                         "b":{"$id":"b","allOf":[{"$dynamicRef":"#x"}],
                          "$defs":{"y":{"$dynamicAnchor":"x"}}}}}
                        """,
                        "{}",
                        "Undecided"),
                testCase(
                        "unevaluated in every corner",
                        recursive(
                                "{'anyOf':[{'properties':{'n':SELF}},{'items':SELF}],"
                                        + "'unevaluatedProperties':SELF}"),
                        "{'m':".repeat(400) + "1" + "}".repeat(400),
                        "Valid"),
                testCase(
                        "nulls below nulls",
                        recursive("{'properties':{'x':{'type':'string'},'n':SELF}}"),
                        "{'x':null,'n':".repeat(400) + "{}" + "}".repeat(400),
                        "Valid"));
    }

    private static Stream<Arguments> sizes() {
        return Stream.of(
                testCase("unique items", "{'uniqueItems':true}", numbers(60_000), "Valid"),
                testCase(
                        "unique objects",
                        "{'uniqueItems':true}",
                        "[" + numbered("{'a':", "}", 60_000) + "]",
                        "Valid"),
                testCase(
                        "a million items",
                        "{'items':{'type':'integer'}}",
                        list("1", 1_000_000),
                        "Undecided"),
                testCase(
                        "many alternatives for many items",
                        "{'items':{'anyOf':" + list("{'type':'string'}", 1_000) + "}}",
                        numbers(20_000),
                        "Invalid"),
                testCase(
                        "numbers that do not fit anywhere",
                        "{'items':{'multipleOf':1e-999,'minimum':-1e999999999,'type':'integer'}}",
                        list("9e999999999", 10_000),
                        "Valid"),
                testCase(
                        "digits without an end",
                        "{'items':{'multipleOf':0." + "3".repeat(900) + "}}",
                        list("7".repeat(990), 1_000),
                        "Invalid"),
                testCase(
                        "a violation for each of many",
                        "{'items':{'type':'string'}}",
                        list("1", 300_000),
                        "Invalid"));
    }

    private static Stream<Arguments> depths() {
        String nested = recursive("{'type':'array','items':SELF}");
        return Stream.of(
                testCase("500 levels", nested, "[".repeat(500) + "]".repeat(500), "Valid"),
                testCase(
                        "500 levels of large data",
                        nested,
                        "[".repeat(499) + "[" + text("x", 8_000_000) + "]" + "]".repeat(499),
                        "Undecided"),
                testCase(
                        "500 levels through 60 schemas each",
                        recursive("{'allOf':[".repeat(60) + "{'items':SELF}" + "]}".repeat(60)),
                        "[".repeat(500) + "]".repeat(500),
                        "Undecided"));
    }

    private static Arguments testCase(
            String name, String schema, String arguments, String verdict) {
        return Arguments.of(name, schema.replace('\'', '"'), arguments.replace('\'', '"'), verdict);
    }

    private static String pattern(String pattern) {
        return "{'pattern':'" + pattern + "'}";
    }

    /** A schema that names itself at some places. */
    private static String recursive(String schema) {
        return "{'$ref':'#/$defs/a','$defs':{'a':" + schema.replace("SELF", SELF) + "}}";
    }

    private static String text(String part, int times) {
        return "'" + part.repeat(times) + "'";
    }

    private static String list(String element, int count) {
        return "[" + (element + ",").repeat(count - 1) + element + "]";
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

package dev.patchbay.schema;

import static dev.patchbay.schema.TestSchemas.compiled;
import static dev.patchbay.schema.TestSchemas.violations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.schema.ValidationResult.Invalid;
import dev.patchbay.schema.ValidationResult.Valid;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Arguments are refused for what is wrong with them, and for nothing else. */
class InputSchemaTest {
    private static final String SEARCH =
            """
            {"type":"object","properties":{
              "query":{"type":"string","minLength":1},
              "count":{"type":"integer","minimum":1,"maximum":100},
              "order":{"enum":["up","down"]},
              "filter":{"type":"object","properties":{"tags":{"type":"array",
                "items":{"type":"string","pattern":"^[a-z]+$"},"maxItems":3}},"required":["tags"]}},
             "required":["query"]}
            """;

    @Test
    void acceptsValidArguments() {
        assertThat(violations(SEARCH, "{\"query\":\"x\",\"count\":3,\"order\":\"up\"}")).isEmpty();
        assertThat(violations(SEARCH, "{\"query\":\"x\",\"filter\":{\"tags\":[\"a\",\"b\"]}}"))
                .isEmpty();
    }

    @Test
    void reportsEveryViolationWithItsPointer() {
        String arguments =
                """
                {"count":"many","order":"sideways","filter":{"tags":["a","B","c",4]},"more":1}
                """;
        assertThat(violations(SEARCH, arguments))
                .containsExactly(
                        "/count: must be an integer, got string",
                        "/order: must be one of \"up\", \"down\", got \"sideways\"",
                        "/filter/tags/1: must match the pattern ^[a-z]+$, got \"B\"",
                        "/filter/tags/3: must be a string, got number",
                        "/filter/tags: must have at most 3 elements, has 4",
                        "/query: is required but missing");
    }

    @Test
    void patternThatRefersBackIsNotCheckedAndTheRestIs() {
        String schema =
                """
                {"type":"object","properties":{
                  "a":{"type":"string","pattern":"^(x+)\\\\1$","maxLength":3},
                  "b":{"type":"string","pattern":"^(?<n>y)\\\\k<n>$"}},
                 "required":["b"]}
                """;
        assertThat(violations(schema, "{\"a\":\"no\",\"b\":\"neither\"}")).isEmpty();
        assertThat(violations(schema, "{\"a\":\"long\"}"))
                .containsExactly(
                        "/a: must have at most 3 characters, has 4", "/b: is required but missing");
    }

    @Test
    void reportsTheViolatedKeyword() {
        ValidationResult verdict =
                compiled(SEARCH).validate(Json.of("{\"query\":\"\",\"count\":0}"));
        assertThat(verdict).isInstanceOf(Invalid.class);
        assertThat(((Invalid) verdict).violations())
                .containsExactly(
                        new Violation(
                                "/query", "minLength", "must have at least 1 character, has 0"),
                        new Violation("/count", "minimum", "must be at least 1, got 0"));
        assertThat(((Invalid) verdict).text())
                .isEqualTo(
                        "/query: must have at least 1 character, has 0\n"
                                + "/count: must be at least 1, got 0");
    }

    @Test
    void reportsMissingRequiredProperties() {
        assertThat(violations(SEARCH, "{}")).containsExactly("/query: is required but missing");
        assertThat(violations(SEARCH, "[]"))
                .containsExactly("arguments: must be an object, got array");
    }

    @Test
    void acceptsUnknownPropertiesUnlessForbidden() {
        String closed = "{\"properties\":{\"a\":{},\"b\":{}},\"additionalProperties\":false}";
        assertThat(violations("{\"properties\":{\"a\":{}}}", "{\"z\":0.1000}")).isEmpty();
        assertThat(violations(closed, "{\"a\":1}")).isEmpty();
        assertThat(violations(closed, "{\"z/y~x\":1}"))
                .containsExactly("/z~1y~0x: is not a known property; known: a, b");
    }

    @Test
    void schemaWithoutRulesAcceptsEveryObject() {
        for (String schema : List.of("{}", "true", "{\"type\":\"object\"}", "{\"title\":\"x\"}")) {
            assertThat(violations(schema, "{\"a\":[1,{\"b\":null}]}")).isEmpty();
        }
        assertThat(violations("false", "{}")).containsExactly("arguments: is not allowed");
    }

    @Test
    void comparesNumbersByValue() {
        String integer = "{\"items\":{\"type\":\"integer\"}}";
        assertThat(violations(integer, "[1,-0,1.0,1.50e1,1e2,100e-2,1e999999999]")).isEmpty();
        assertThat(violations(integer, "[123456789012345678901234567890]")).isEmpty();
        assertThat(violations(integer, "[1.5,1e-1]"))
                .containsExactly(
                        "/0: must be an integer, got 1.5", "/1: must be an integer, got 1e-1");
        String large = "{\"maximum\":9007199254740993,\"const\":9007199254740993.0}";
        assertThat(violations(large, "9007199254740993")).isEmpty();
        assertThat(violations(large, "9007199254740994")).hasSize(2);
        assertThat(violations("{\"exclusiveMaximum\":1e1000000}", "9.99e999999")).isEmpty();
    }

    @Test
    void comparesValuesIndependentOfSpelling() {
        assertThat(
                        violations(
                                "{\"const\":{\"a\":1,\"b\":[\"é\"]}}",
                                "{\"b\":[\"\\u00e9\"],\"a\":1.0}"))
                .isEmpty();
        assertThat(violations("{\"uniqueItems\":true}", "[1,\"1\",true,[1],{\"a\":1}]")).isEmpty();
        assertThat(violations("{\"uniqueItems\":true}", "[{\"a\":1,\"b\":2},{\"b\":2.0,\"a\":1}]"))
                .containsExactly(
                        "arguments: must not have equal elements, but has two of"
                                + " {\"b\":2.0,\"a\":1}");
    }

    @Test
    void formatAndContentKeywordsAreAnnotationsOnly() {
        String schema =
                "{\"format\":\"email\",\"contentMediaType\":\"application/json\","
                        + "\"contentEncoding\":\"base64\",\"contentSchema\":{\"type\":\"array\"}}";
        assertThat(violations(schema, "\"no such thing\"")).isEmpty();
    }

    @Test
    void followsReferencesWithinSchema() {
        String tree =
                """
                {"$ref":"#/$defs/node","$defs":{"node":{"type":"object","required":["name"],
                 "properties":{"name":{"type":"string"},
                 "children":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}
                """;
        assertThat(violations(tree, "{\"name\":\"a\",\"children\":[{\"name\":\"b\"}]}")).isEmpty();
        assertThat(
                        violations(
                                tree,
                                "{\"name\":\"a\",\"children\":[{\"children\":[{\"name\":1}]}]}"))
                .containsExactly(
                        "/children/0/name: is required but missing",
                        "/children/0/children/0/name: must be a string, got number");
    }

    @Test
    void reportsViolationsOfTheMatchingAlternative() {
        String optional =
                "{\"anyOf\":[{\"type\":\"object\",\"required\":[\"a\"]},{\"type\":\"null\"}]}";
        assertThat(violations(optional, "{}")).containsExactly("/a: is required but missing");
        assertThat(violations(optional, "1"))
                .containsExactly(
                        "arguments: fits none of 2 alternatives: arguments: must be an object, got"
                                + " number; arguments: must be null, got number");
    }

    @Test
    void limitsViolationsAndMessageLength() {
        String arguments = "[" + "1,".repeat(999) + "1]";
        ValidationResult verdict =
                compiled("{\"items\":{\"type\":\"string\"}}").validate(Json.of(arguments));
        assertThat(((Invalid) verdict).violations()).hasSize(ValidationContext.VIOLATIONS_MAX);
        assertThat(((Invalid) verdict).omitted()).isEqualTo(950);
        String name = "x".repeat(100_000);
        assertThat(
                        violations("{\"additionalProperties\":false}", "{\"" + name + "\":1}")
                                .getFirst())
                .hasSizeLessThan(1_000);
        assertThat(violations("{\"const\":1}", "\"" + name + "\"").getFirst())
                .hasSizeLessThan(1_000);
    }

    @Test
    void resultIsDeterministic() {
        Json arguments = Json.of("{\"count\":1.5,\"order\":1,\"filter\":{\"x\":1}}");
        assertThat(compiled(SEARCH).validate(arguments))
                .isEqualTo(compiled(SEARCH).validate(arguments));
    }

    @Test
    void validatesMegabyteOfArguments() {
        String schema =
                """
                {"properties":{"rows":{"items":{"type":"object","required":["id"],
                 "properties":{"id":{"type":"integer"},"text":{"type":"string"}}}}}}
                """;
        String row = "{\"id\":12345,\"text\":\"" + "x".repeat(60) + "\"},";
        String arguments = "{\"rows\":[" + row.repeat(13_000) + "{\"id\":1}]}";
        assertThat(arguments.length()).isGreaterThan(1_000_000);
        assertThat(compiled(schema).validate(Json.of(arguments))).isInstanceOf(Valid.class);
    }
}

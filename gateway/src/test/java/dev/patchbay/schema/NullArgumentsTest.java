package dev.patchbay.schema;

import static dev.patchbay.schema.TestSchemas.violations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A null for a property that may be absent counts as absent, for models send it so. */
class NullArgumentsTest {
    private static final String SCHEMA =
            """
            {"type":"object","required":["id"],"additionalProperties":false,"properties":{
              "id":{"type":"string"},"note":{"type":"string"},
              "limit":{"type":"integer","minimum":1},
              "kind":{"enum":["a","b"]},"inner":{"type":"object","required":["x"],
                "properties":{"x":{"type":"string"},"y":{"type":"string"}}}}}
            """;

    @Test
    void nullCountsAsAbsentForOptionalProperty() {
        assertThat(violations(SCHEMA, "{\"id\":\"1\",\"note\":null,\"limit\":null,\"kind\":null}"))
                .isEmpty();
        assertThat(violations(SCHEMA, "{\"id\":\"1\",\"inner\":{\"x\":\"1\",\"y\":null}}"))
                .isEmpty();
        assertThat(violations(SCHEMA, "{\"id\":\"1\",\"inner\":null}")).isEmpty();
    }

    @Test
    void nullIsRejectedIfSameSchemaRequiresProperty() {
        assertThat(violations(SCHEMA, "{\"id\":null}"))
                .containsExactly("/id: must be a string, got null");
        assertThat(violations(SCHEMA, "{\"id\":\"1\",\"inner\":{\"x\":null}}"))
                .containsExactly("/inner/x: must be a string, got null");
    }

    @Test
    void nullIsRejectedIfAnotherSchemaRequiresProperty() {
        String split =
                """
                {"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["a"]}]}
                """;
        assertThat(violations(split, "{\"a\":null}"))
                .containsExactly("/a: is required and must not be null");
        assertThat(violations(split, "{\"a\":\"x\"}")).isEmpty();
    }

    @Test
    void nullIsKeptIfSchemaAcceptsIt() {
        String schema =
                "{\"properties\":{\"a\":{\"type\":[\"string\",\"null\"]}},\"minProperties\":1}";
        assertThat(violations(schema, "{\"a\":null}")).isEmpty();
    }

    @Test
    void otherRulesDoNotSeeRemovedNull() {
        String schema =
                """
                {"properties":{"a":{"type":"string"},"b":{"type":"string"}},
                 "dependentRequired":{"a":["b"]},"maxProperties":1}
                """;
        assertThat(violations(schema, "{\"a\":null,\"b\":\"x\"}")).isEmpty();
        assertThat(violations(schema, "{\"a\":null}")).isEmpty();
        assertThat(violations(schema, "{\"a\":\"x\",\"b\":null}"))
                .containsExactly("/b: is required and must not be null");
    }

    @Test
    void nullIsRejectedInArraysAndUnknownProperties() {
        assertThat(violations("{\"items\":{\"type\":\"string\"}}", "[null]"))
                .containsExactly("/0: must be a string, got null");
        assertThat(violations(SCHEMA, "{\"id\":\"1\",\"other\":null}"))
                .containsExactly(
                        "/other: is not a known property; known: id, note, limit, kind, inner");
        assertThat(violations("{\"additionalProperties\":{\"type\":\"string\"}}", "{\"a\":null}"))
                .containsExactly("/a: must be a string, got null");
    }

    @Test
    void nullCountsAsAbsentWithinAlternatives() {
        String schema =
                """
                {"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string"}},
                           "required":["kind"]},
                          {"properties":{"kind":{"const":"b"},"y":{"type":"string"}},
                           "required":["kind"]}]}
                """;
        assertThat(violations(schema, "{\"kind\":\"a\",\"x\":null,\"y\":null}")).isEmpty();
        assertThat(violations(schema, "{\"kind\":\"c\",\"x\":null}")).isNotEmpty();
    }

    @Test
    void otherViolationsAreStillReported() {
        assertThat(violations(SCHEMA, "{\"id\":\"1\",\"note\":null,\"limit\":0}"))
                .containsExactly("/limit: must be at least 1, got 0");
    }
}

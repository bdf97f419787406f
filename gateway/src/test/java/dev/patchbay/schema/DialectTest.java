package dev.patchbay.schema;

import static dev.patchbay.schema.TestSchemas.compileError;
import static dev.patchbay.schema.TestSchemas.violations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.schema.Dialect.Draft;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A schema is read in the dialect that it names, and in 2020-12 if it names none. */
class DialectTest {
    private static final String TUPLE =
            "\"items\":[{\"type\":\"string\"}],\"additionalItems\":false";

    @ParameterizedTest
    @EnumSource(names = "DRAFT_2020_12", mode = EnumSource.Mode.EXCLUDE)
    void readsItemsArrayAsTupleBefore202012(Draft draft) {
        assertThat(violations(in(draft, TUPLE), "[\"a\"]")).isEmpty();
        assertThat(violations(in(draft, TUPLE), "[1,2]")).hasSize(2);
    }

    @Test
    void rejectsItemsArrayIn202012() {
        assertThat(compileError(in(Draft.DRAFT_2020_12, TUPLE)))
                .startsWith("/items: must be a schema");
        assertThat(compileError("{" + TUPLE + "}")).startsWith("/items: must be a schema");
    }

    @Test
    void ignoresConditionalsBeforeDraft07() {
        String never = "\"if\":true,\"then\":false";
        assertThat(violations(in(Draft.DRAFT_06, never), "{}")).isEmpty();
        assertThat(violations(in(Draft.DRAFT_07, never), "{}")).isNotEmpty();
    }

    @Test
    void ignoresKeywordsBesideRefUpToDraft07() {
        String both = "\"$ref\":\"#/definitions/a\",\"maxProperties\":0,\"definitions\":{\"a\":{}}";
        assertThat(violations(in(Draft.DRAFT_07, both), "{\"x\":1}")).isEmpty();
        assertThat(violations(in(Draft.DRAFT_2019_09, both), "{\"x\":1}")).isNotEmpty();
    }

    @Test
    void resolvesDefsInEveryDraft() {
        String modernPlace = "\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"object\"}}";
        for (Draft draft : Draft.values()) {
            assertThat(violations(in(draft, modernPlace), "{}")).isEmpty();
            assertThat(violations(in(draft, modernPlace), "[]")).isNotEmpty();
        }
    }

    @Test
    void followsRecursiveRefIn201909() {
        String tree =
                """
                {"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"http://h/closed",
                 "$recursiveAnchor":true,"$ref":"tree","unevaluatedProperties":false,
                 "$defs":{"tree":{"$id":"tree","$recursiveAnchor":true,
                  "properties":{"data":true,"next":{"$recursiveRef":"#"}}}}}
                """;
        assertThat(violations(tree, "{\"next\":{\"data\":1}}")).isEmpty();
        assertThat(violations(tree, "{\"next\":{\"daat\":1}}"))
                .containsExactly("/next/daat: is not a known property");
    }

    @Test
    void containsMarksItemsEvaluatedOnlyIn202012() {
        String words = "\"contains\":{\"const\":1},\"unevaluatedItems\":false";
        assertThat(violations(in(Draft.DRAFT_2020_12, words), "[1]")).isEmpty();
        assertThat(violations(in(Draft.DRAFT_2019_09, words), "[1]")).isNotEmpty();
    }

    private static String in(Draft draft, String words) {
        return "{\"$schema\":\"" + draft.uri + "\"," + words + "}";
    }
}

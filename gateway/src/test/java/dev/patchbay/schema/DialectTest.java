package dev.patchbay.schema;

import static dev.patchbay.schema.Schemas.check;
import static dev.patchbay.schema.Schemas.fault;

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
    void readsAListOfItemsAsPlaces(Draft draft) {
        assertThat(check(in(draft, TUPLE), "[\"a\"]")).isEmpty();
        assertThat(check(in(draft, TUPLE), "[1,2]")).hasSize(2);
    }

    @Test
    void refusesAListOfItemsToday() {
        assertThat(fault(in(Draft.DRAFT_2020_12, TUPLE))).startsWith("/items: must be a schema");
        assertThat(fault("{" + TUPLE + "}")).startsWith("/items: must be a schema");
    }

    @Test
    void knowsNoConditionsBeforeDraft07() {
        String never = "\"if\":true,\"then\":false";
        assertThat(check(in(Draft.DRAFT_06, never), "{}")).isEmpty();
        assertThat(check(in(Draft.DRAFT_07, never), "{}")).isNotEmpty();
    }

    @Test
    void ignoresWordsBesideAReferenceUpToDraft07() {
        String both = "\"$ref\":\"#/definitions/a\",\"maxProperties\":0,\"definitions\":{\"a\":{}}";
        assertThat(check(in(Draft.DRAFT_07, both), "{\"x\":1}")).isEmpty();
        assertThat(check(in(Draft.DRAFT_2019_09, both), "{\"x\":1}")).isNotEmpty();
    }

    @Test
    void findsDefinitionsWhereverTheyAre() {
        String modernPlace = "\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"object\"}}";
        for (Draft draft : Draft.values()) {
            assertThat(check(in(draft, modernPlace), "{}")).isEmpty();
            assertThat(check(in(draft, modernPlace), "[]")).isNotEmpty();
        }
    }

    @Test
    void followsTheRecursiveReferenceOf201909() {
        String tree =
                """
                {"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"http://h/closed",
                 "$recursiveAnchor":true,"$ref":"tree","unevaluatedProperties":false,
                 "$defs":{"tree":{"$id":"tree","$recursiveAnchor":true,
                  "properties":{"data":true,"next":{"$recursiveRef":"#"}}}}}
                """;
        assertThat(check(tree, "{\"next\":{\"data\":1}}")).isEmpty();
        assertThat(check(tree, "{\"next\":{\"daat\":1}}"))
                .containsExactly("/next/daat: is not a known property");
    }

    @Test
    void countsWhatIsContainedAsLookedAtOnlyToday() {
        String words = "\"contains\":{\"const\":1},\"unevaluatedItems\":false";
        assertThat(check(in(Draft.DRAFT_2020_12, words), "[1]")).isEmpty();
        assertThat(check(in(Draft.DRAFT_2019_09, words), "[1]")).isNotEmpty();
    }

    private static String in(Draft draft, String words) {
        return "{\"$schema\":\"" + draft.uri + "\"," + words + "}";
    }
}

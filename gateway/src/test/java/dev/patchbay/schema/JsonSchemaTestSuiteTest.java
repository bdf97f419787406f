package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.CompilationResult.Unusable;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Our own tests, and all required tests of the official suite, pass for the schemas as the gateway
 * uses them.
 */
class JsonSchemaTestSuiteTest {
    /**
     * Formats and contents only describe. The files named unicode want {@code \w} and {@code \d} to
     * match letters and digits of every script, which ECMA-262 does not.
     */
    private static final Set<String> UNSUPPORTED =
            Set.of(
                    "draft2020-12/optional/format-assertion",
                    "draft2020-12/optional/unicode",
                    "draft7/optional/content",
                    "draft7/optional/unicode");

    private static final JsonSchemaTestSuite OWN = JsonSchemaTestSuite.own();
    private static final JsonSchemaTestSuite OFFICIAL = JsonSchemaTestSuite.official();

    @TestFactory
    Stream<DynamicTest> requiredTestsOf202012Pass() {
        return tests("draft2020-12", Dialect.DRAFT_2020_12);
    }

    @TestFactory
    Stream<DynamicTest> requiredTestsOfDraft07Pass() {
        return tests("draft7", Dialect.DRAFT_07);
    }

    /** Of the optional tests those about what we claim: exact numbers, and ECMA-262 patterns. */
    @TestFactory
    Stream<DynamicTest> optionalTestsOf202012Pass() {
        return tests("draft2020-12/optional", Dialect.DRAFT_2020_12)
                .filter(test -> !UNSUPPORTED.contains(test.getDisplayName()));
    }

    @TestFactory
    Stream<DynamicTest> optionalTestsOfDraft07Pass() {
        return tests("draft7/optional", Dialect.DRAFT_07)
                .filter(test -> !UNSUPPORTED.contains(test.getDisplayName()));
    }

    @Test
    void suitesAreComplete() {
        assertThat(count(OWN, "draft2020-12")).isEqualTo(274);
        assertThat(count(OWN, "draft7")).isEqualTo(251);
        assertThat(count(OFFICIAL, "draft2020-12")).isEqualTo(1022);
        assertThat(count(OFFICIAL, "draft7")).isEqualTo(792);
        assertThat(count(OFFICIAL, "draft2020-12/optional")).isEqualTo(84);
        assertThat(count(OFFICIAL, "draft7/optional")).isEqualTo(90);
    }

    private static int count(JsonSchemaTestSuite suite, String draft) {
        return suite.files(draft).stream().mapToInt(file -> file.cases().size()).sum();
    }

    /** Our own tests of a draft, and the official ones. */
    private static Stream<DynamicTest> tests(String draft, Dialect dialect) {
        return Stream.of(OWN, OFFICIAL).flatMap(suite -> tests(suite, draft, dialect));
    }

    private static Stream<DynamicTest> tests(
            JsonSchemaTestSuite suite, String draft, Dialect dialect) {
        return suite.files(draft).stream()
                .map(
                        file ->
                                DynamicTest.dynamicTest(
                                        draft + "/" + file.name(),
                                        () ->
                                                assertThat(failures(suite, file, dialect))
                                                        .isEmpty()));
    }

    private static List<String> failures(
            JsonSchemaTestSuite suite, JsonSchemaTestSuite.SuiteFile file, Dialect dialect) {
        var failures = new ArrayList<String>();
        for (JsonSchemaTestSuite.SuiteCase test : file.cases()) {
            String outcome = outcome(suite, test, dialect);
            if (!outcome.equals(test.valid() ? "Valid" : "Invalid")) {
                failures.add(test.name() + " " + test.data() + " -> " + outcome);
            }
        }
        return failures;
    }

    private static String outcome(
            JsonSchemaTestSuite suite, JsonSchemaTestSuite.SuiteCase test, Dialect dialect) {
        return switch (InputSchema.compile(test.schema(), suite, dialect)) {
            case Compiled(InputSchema schema) ->
                    schema.validate(test.data()).getClass().getSimpleName();
            case Unusable(String reason) -> "Unusable: " + reason;
        };
    }
}

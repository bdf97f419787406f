package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.CompilationResult.Unusable;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Our own tests, and all required tests of the official suite, pass for the schemas as the gateway
 * uses them.
 */
class JsonSchemaTestSuiteTest {
    /** Formats and contents only describe. */
    private static final Set<String> UNSUPPORTED =
            Set.of("draft2020-12/optional/format-assertion.json", "draft7/optional/content.json");

    private static final int OWN_CASES_MIN = 250;

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
        JsonSchemaTestSuite own = JsonSchemaTestSuite.own();
        assertThat(count(own, "draft2020-12")).isGreaterThan(OWN_CASES_MIN);
        assertThat(count(own, "draft7")).isGreaterThan(OWN_CASES_MIN);
        JsonSchemaTestSuite.findOfficial()
                .ifPresent(
                        official -> {
                            assertThat(count(official, "draft2020-12")).isEqualTo(1299);
                            assertThat(count(official, "draft7")).isEqualTo(927);
                        });
    }

    private static int count(JsonSchemaTestSuite suite, String draft) {
        return suite.files(draft).stream().mapToInt(file -> suite.cases(file).size()).sum();
    }

    /** Our own tests of a draft, and the official ones where they are there. */
    private static Stream<DynamicTest> tests(String draft, Dialect dialect) {
        Stream<DynamicTest> own = tests(JsonSchemaTestSuite.own(), draft, dialect);
        Stream<DynamicTest> official =
                JsonSchemaTestSuite.findOfficial().stream()
                        .flatMap(suite -> tests(suite, draft, dialect));
        return Stream.concat(own, official);
    }

    private static Stream<DynamicTest> tests(
            JsonSchemaTestSuite suite, String draft, Dialect dialect) {
        return suite.files(draft).stream()
                .map(
                        file ->
                                DynamicTest.dynamicTest(
                                        draft + "/" + file.getFileName(),
                                        () ->
                                                assertThat(failures(suite, file, dialect))
                                                        .isEmpty()));
    }

    private static List<String> failures(JsonSchemaTestSuite suite, Path file, Dialect dialect) {
        var failures = new ArrayList<String>();
        for (JsonSchemaTestSuite.SuiteCase test : suite.cases(file)) {
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

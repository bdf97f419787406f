package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.CompilationResult.Unusable;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All required tests of the official suite hold for the schemas as the gateway uses them. */
class JsonSchemaTestSuiteTest {
    /** Formats and contents only describe. */
    private static final Set<String> UNSUPPORTED =
            Set.of("draft2020-12/optional/format-assertion.json", "draft7/optional/content.json");

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
    void suiteIsComplete() {
        JsonSchemaTestSuite suite = JsonSchemaTestSuite.find();
        assertThat(count(suite, "draft2020-12")).isEqualTo(1299);
        assertThat(count(suite, "draft7")).isEqualTo(927);
    }

    private static int count(JsonSchemaTestSuite suite, String draft) {
        return suite.files(draft).stream().mapToInt(file -> suite.cases(file).size()).sum();
    }

    private static Stream<DynamicTest> tests(String draft, Dialect dialect) {
        JsonSchemaTestSuite suite;
        try {
            suite = JsonSchemaTestSuite.find();
        } catch (TestAbortedException missing) {
            return Stream.of(
                    DynamicTest.dynamicTest(
                            draft,
                            () -> {
                                throw missing;
                            }));
        }
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

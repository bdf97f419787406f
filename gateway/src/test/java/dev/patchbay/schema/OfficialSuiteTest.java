package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.schema.Compilation.Compiled;
import dev.patchbay.schema.Compilation.Unusable;

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
class OfficialSuiteTest {
    /** Formats and contents only describe. */
    private static final Set<String> NOT_CLAIMED =
            Set.of("draft2020-12/optional/format-assertion.json", "draft7/optional/content.json");

    @TestFactory
    Stream<DynamicTest> everyRequiredTestOf202012Holds() {
        return tests("draft2020-12", Dialect.DRAFT_2020_12);
    }

    @TestFactory
    Stream<DynamicTest> everyRequiredTestOfDraft07Holds() {
        return tests("draft7", Dialect.DRAFT_07);
    }

    /** Of the optional tests those about what we claim: exact numbers, and ECMA-262 patterns. */
    @TestFactory
    Stream<DynamicTest> theOptionalTestsOf202012Hold() {
        return tests("draft2020-12/optional", Dialect.DRAFT_2020_12)
                .filter(test -> !NOT_CLAIMED.contains(test.getDisplayName()));
    }

    @TestFactory
    Stream<DynamicTest> theOptionalTestsOfDraft07Hold() {
        return tests("draft7/optional", Dialect.DRAFT_07)
                .filter(test -> !NOT_CLAIMED.contains(test.getDisplayName()));
    }

    @Test
    void theSuiteIsWhole() {
        OfficialSuite suite = OfficialSuite.find();
        assertThat(count(suite, "draft2020-12")).isEqualTo(1299);
        assertThat(count(suite, "draft7")).isEqualTo(927);
    }

    private static int count(OfficialSuite suite, String draft) {
        return suite.files(draft).stream().mapToInt(file -> suite.cases(file).size()).sum();
    }

    private static Stream<DynamicTest> tests(String draft, Dialect dialect) {
        OfficialSuite suite;
        try {
            suite = OfficialSuite.find();
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

    private static List<String> failures(OfficialSuite suite, Path file, Dialect dialect) {
        var failures = new ArrayList<String>();
        for (OfficialSuite.Case test : suite.cases(file)) {
            String outcome = outcome(suite, test, dialect);
            if (!outcome.equals(test.valid() ? "Valid" : "Invalid")) {
                failures.add(test.name() + " " + test.data() + " -> " + outcome);
            }
        }
        return failures;
    }

    private static String outcome(OfficialSuite suite, OfficialSuite.Case test, Dialect dialect) {
        return switch (InputSchema.compile(test.schema(), suite, dialect)) {
            case Compiled(InputSchema schema) ->
                    schema.check(test.data()).getClass().getSimpleName();
            case Unusable(String reason) -> "Unusable: " + reason;
        };
    }
}

package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** How values are shown. */
class ValuesTest {
    private static final ReplTestSession REPL = new ReplTestSession();

    @AfterAll
    static void end() {
        REPL.close();
    }

    @Test
    void recordsOfOneKindAreATable() throws Exception {
        String value =
                REPL.value(
                        """
                        record City(String name, String country, int people) {}
                        IntStream.range(1, 6)
                            .mapToObj(i -> new City("city " + i, "country", i * 1000)).toList()
                        """);
        assertThat(value.lines())
                .containsExactly(
                        "5 rows",
                        "name    country  people",
                        "------  -------  ------",
                        "city 1  country  1000",
                        "city 2  country  2000",
                        "city 3  country  3000",
                        "city 4  country  4000",
                        "city 5  country  5000");
    }

    @Test
    void mapsOfOneShapeAreATable() throws Exception {
        assertThat(
                        REPL.value(
                                        """
                                        List<Map<String, Object>> rows = new ArrayList<>();
                                        for (int i = 0; i < 4; i++) {
                                            var row = new LinkedHashMap<String, Object>();
                                            row.put("number", i);
                                            row.put("squared and named at length", i * i);
                                            rows.add(row);
                                        }
                                        rows
                                        """)
                                .lines())
                .startsWith(
                        "4 rows",
                        "number  squared and named at length",
                        "------  " + "-".repeat(27))
                .endsWith("3       9");
    }

    @Test
    void longElementsHaveALineEach() throws Exception {
        assertThat(REPL.value("Collections.nCopies(3, \"a long text \".repeat(5))").lines())
                .hasSize(4)
                .startsWith("3 elements")
                .allMatch(line -> line.length() < 80);
        assertThat(
                        REPL.value(
                                "new TreeMap<>(Map.of(\"one\", \"x\".repeat(90), \"two\","
                                        + " \"y\".repeat(90)))"))
                .startsWith("2 entries\n  \"one\" = \"xxx");
    }

    @Test
    void shortValuesStayInOneLine() throws Exception {
        assertThat(REPL.value("List.of(1, 2, 3)")).isEqualTo("[1, 2, 3]");
        assertThat(REPL.value("IntStream.range(0, 100).boxed().toList()"))
                .startsWith("[0, 1, 2, ")
                .doesNotContain("\n");
        assertThat(REPL.value("record Pair(int a, int b) {}\nnew Pair(1, 2)"))
                .isEqualTo("Pair[a=1, b=2]");
    }

    @Test
    void failingAccessorIsShown() throws Exception {
        String value =
                REPL.value(
                        """
                        record Odd(String text, int number) {
                            public int number() { throw new IllegalStateException("no"); }
                            public String toString() { return text; }
                        }
                        List.of(new Odd("z".repeat(70), 1), new Odd("z".repeat(70), 2))
                        """);
        assertThat(value).startsWith("2 rows").contains("(failed: java.lang.IllegalStateException");
    }
}

package dev.patchbay.repl;

import static dev.patchbay.repl.Evaluation.Ending.DONE;
import static dev.patchbay.repl.Evaluation.Ending.FAILED;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** What a session does with code that behaves. All tests share one JVM. */
class SessionTest {
    private static final Lab LAB = new Lab();

    @AfterAll
    static void end() {
        LAB.close();
    }

    @Test
    void tellsValueAndType() throws Exception {
        var evaluation = LAB.run("IntStream.range(0, 5).sum()");
        assertThat(evaluation.ending()).isEqualTo(DONE);
        assertThat(evaluation.snippets())
                .singleElement()
                .satisfies(
                        snippet -> {
                            assertThat(snippet.value()).isEqualTo("10");
                            assertThat(snippet.type()).isEqualTo("int");
                            assertThat(snippet.headline()).isEqualTo("=> 10 : int");
                        });
    }

    /** INV-003 of the REPL: definitions persist. */
    @Test
    void keepsDefinitionsBetweenEvaluations() throws Exception {
        LAB.run("import java.util.zip.CRC32;");
        LAB.run("record Point(int x, int y) {}");
        LAB.run("int sum(Point p) { return p.x() + p.y(); }");
        LAB.run("var point = new Point(3, 4);");
        assertThat(LAB.value("sum(point)")).isEqualTo("7");
        assertThat(LAB.value("new CRC32().getValue()")).isEqualTo("0");
    }

    @Test
    void replacesWhatIsDefinedAgain() throws Exception {
        LAB.run("int twice(int n) { return n + n; }\nint useTwice() { return twice(4); }");
        assertThat(LAB.value("useTwice()")).isEqualTo("8");
        LAB.run("int twice(int n) { return -n; }");
        assertThat(LAB.value("useTwice()")).isEqualTo("-4");
        LAB.run("int changing = 1;");
        LAB.run("String changing = \"text\";");
        assertThat(LAB.value("changing")).isEqualTo("\"text\"");
    }

    /** INV-004 of the REPL: values, standard output and standard error can be told apart. */
    @Test
    void tellsValuesFromOutputFromErrors() throws Exception {
        var evaluation =
                LAB.run("System.out.println(\"to out\"); System.err.println(\"to err\"); 5");
        assertThat(evaluation.out()).isEqualTo("to out\n");
        assertThat(evaluation.err()).isEqualTo("to err\n");
        assertThat(evaluation.value()).contains("5");
    }

    @Test
    void keepsOutputInItsOrder() throws Exception {
        var evaluation =
                LAB.run(
                        "for (int i = 0; i < 3; i++) {\n"
                                + " System.out.print(\"o\" + i); System.err.print(\"e\" + i); }");
        assertThat(evaluation.printed().pieces())
                .extracting(Transcript.Piece::text)
                .containsExactly("o0", "e0", "o1", "e1", "o2", "e2");
    }

    @Test
    void passesAnyCharacterOn() throws Exception {
        var evaluation =
                LAB.run("System.out.print(\"a\\0b\\u0007é😀\\u2028\\ud800x\"); \"é😀\\0\"");
        assertThat(evaluation.out()).isEqualTo("a\0b\u0007é😀\u2028?x");
        assertThat(evaluation.value()).contains("\"é😀\\u0000\"");
    }

    @Test
    void joinsTheBytesOfACharacter() throws Exception {
        var evaluation =
                LAB.run(
                        "for (byte b : \"é😀\".getBytes(StandardCharsets.UTF_8)) {\n"
                                + " System.out.write(b); System.out.flush(); }");
        assertThat(evaluation.out()).isEqualTo("é😀");
    }

    @Test
    void takesALineForTheEndOfASnippet() throws Exception {
        var evaluation =
                LAB.run(
                        """
                        int lines = 1
                        lines + 1
                        List.of(3, 1, 2).stream()
                            .sorted()
                            .toList()
                        String hello(String name) {
                            return "hello " + name;
                        }
                        hello("you")
                        """);
        assertThat(evaluation.ending()).isEqualTo(DONE);
        assertThat(evaluation.snippets())
                .extracting(SnippetResult::value)
                .containsExactly("1", "2", "[1, 2, 3]", null, "\"hello you\"");
    }

    @Test
    void runsTypesThatNeedEachOther() throws Exception {
        var evaluation =
                LAB.run(
                        """
                        sealed interface Shape permits Circle, Square {}
                        record Circle(int r) implements Shape {}
                        record Square(int a) implements Shape {}
                        int size(Shape shape) {
                            return switch (shape) {
                                case Circle(int r) -> r;
                                case Square(int a) -> a * a;
                            };
                        }
                        Shape chosen = lucky() ? new Circle(1) : new Square(3)
                        boolean lucky() { return false; }
                        """);
        assertThat(evaluation.ending()).isEqualTo(FAILED);
        assertThat(evaluation.snippets().subList(0, 4))
                .as("what a type needed came in the same code")
                .allMatch(snippet -> snippet.missing().isEmpty())
                .allMatch(snippet -> snippet.status().equals("VALID"));
        LAB.run("boolean lucky() { return false; }");
        assertThat(LAB.value("size(lucky() ? new Circle(1) : new Square(3))")).isEqualTo("9");
    }

    @Test
    void hasNothingToSayAboutNothing() throws Exception {
        for (String code : List.of("", "  \n", "// a comment", "/* another */")) {
            var evaluation = LAB.run(code);
            assertThat(evaluation.ending()).isEqualTo(DONE);
            assertThat(evaluation.snippets()).isEmpty();
        }
    }

    /** INV-006 of the REPL: the class of an error is reported. */
    @Test
    void reportsTheClassOfAnException() throws Exception {
        var evaluation = LAB.run("System.out.println(\"before\");\n1 / 0\nint never = 1;");
        assertThat(evaluation.ending()).isEqualTo(FAILED);
        assertThat(evaluation.out()).isEqualTo("before\n");
        assertThat(evaluation.error())
                .map(ErrorReport::headline)
                .contains("java.lang.ArithmeticException: / by zero");
        assertThat(evaluation.notRun()).isEqualTo("int never = 1;");
        assertThat(LAB.run("never").ending()).isEqualTo(FAILED);
    }

    @Test
    void mapsATraceToSnippets() throws Exception {
        var defined =
                LAB.run(
                        """
                        int fails(int n) {
                            int other = n;
                            return other / 0;
                        }
                        """);
        String id = defined.snippets().getFirst().id();
        LAB.run("try { fails(1); } catch (Exception e) {\n throw new IllegalStateException(e); }");
        var error = LAB.session.lastError().orElseThrow();
        assertThat(error.className()).isEqualTo("java.lang.IllegalStateException");
        assertThat(error.cause().className()).isEqualTo("java.lang.ArithmeticException");
        assertThat(error.full()).contains("at fails (snippet " + id + ", line 3)");
    }

    @Test
    void showsTheOwnFramesBelowThoseOfALibrary() throws Exception {
        LAB.run(
                "String slurp(String name) throws IOException {\n"
                        + "    return Files.readString(Path.of(name));\n}");
        ErrorReport error = LAB.run("slurp(\"absent\")").error().orElseThrow();
        assertThat(error.brief().lines())
                .hasSizeLessThan(8)
                .anyMatch(line -> line.matches("  … \\d+ frames"))
                .anyMatch(line -> line.matches("  at slurp \\(snippet \\d+, line 2\\)"))
                .anyMatch(line -> line.matches("  at snippet \\d+, line 1"));
    }

    @Test
    void reportsADeclaredExceptionByItsName() throws Exception {
        LAB.run("class Broken extends RuntimeException { Broken(String m) { super(m); } }");
        assertThat(LAB.run("throw new Broken(\"into pieces\");").error())
                .map(ErrorReport::headline)
                .contains("Broken: into pieces");
        assertThat(LAB.run("throw new RuntimeException(\"bare\") {};").error())
                .map(ErrorReport::headline)
                .contains("java.lang.RuntimeException: bare");
    }

    @Test
    void placesTheCompilersMessages() throws Exception {
        var evaluation = LAB.run("int fine = 1;\nint wrong =\n    \"text\";\nint rest = 2;");
        var snippet = evaluation.snippets().getLast();
        assertThat(snippet.status()).isEqualTo("REJECTED");
        assertThat(snippet.diagnostics())
                .singleElement()
                .satisfies(
                        diagnostic -> {
                            assertThat(diagnostic.isError()).isTrue();
                            assertThat(diagnostic.message()).contains("incompatible types");
                            assertThat(diagnostic.line()).isEqualTo(3);
                            assertThat(diagnostic.column()).isEqualTo(5);
                        });
        assertThat(evaluation.notRun()).isEqualTo("int rest = 2;");
    }

    @Test
    void saysWhatAMethodStillNeeds() throws Exception {
        var evaluation = LAB.run("int early() { return late(); }");
        assertThat(evaluation.snippets().getFirst().headline()).contains("method late()");
        assertThat(LAB.run("early()").error().orElseThrow().headline()).contains("method late()");
        LAB.run("int late() { return 8; }");
        assertThat(LAB.value("early()")).isEqualTo("8");
    }

    @Test
    void boundsALongValue() throws Exception {
        assertThat(LAB.value("\"x\".repeat(1_000_000)"))
                .hasSizeLessThan(20_100)
                .endsWith("more characters)\"");
        assertThat(LAB.value("new int[1_000_000]")).hasSizeLessThan(20_100);
    }

    @Test
    void showsArraysAsTheirElements() throws Exception {
        assertThat(LAB.value("new int[][] {{1, 2}, {}}"))
                .isEqualTo("int[][2] { int[2] { 1, 2 }, int[0] { } }");
    }

    @Test
    void tellsTimeAndAllocation() throws Exception {
        var evaluation =
                LAB.session.evaluate(
                        "byte[] make() { return new byte[100_000]; }\nmake().length",
                        50,
                        Limits.DEFAULTS,
                        Progress.NONE);
        Cost cost = evaluation.snippets().getLast().cost();
        assertThat(cost.runs()).isEqualTo(50);
        assertThat(cost.bytesPerRun()).isBetween(100_000L, 200_000L);
        assertThat(cost.minNanos()).isPositive().isLessThanOrEqualTo(cost.medianNanos());
        assertThat(cost.totalNanos()).isGreaterThanOrEqualTo(cost.maxNanos());
        assertThatThrownBy(() -> LAB.session.evaluate("1", 0, Limits.DEFAULTS, Progress.NONE))
                .isInstanceOf(SessionException.class);
    }

    @Test
    void answersManyCallersOneAfterTheOther() throws Exception {
        LAB.run("int counted = 0;");
        var threads =
                IntStream.range(0, 8)
                        .mapToObj(
                                i ->
                                        Thread.ofVirtual()
                                                .start(
                                                        () -> {
                                                            try {
                                                                LAB.run("counted += 1;");
                                                            } catch (Exception e) {
                                                                throw new AssertionError(e);
                                                            }
                                                        }))
                        .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(LAB.value("counted")).isEqualTo("8");
    }

    @Test
    void doesNotSeeTheClassesOfTheGateway() throws Exception {
        assertThat(LAB.run("dev.patchbay.json.Json.NULL").ending()).isEqualTo(FAILED);
        assertThat(LAB.run("Class.forName(\"dev.patchbay.json.Json\")").error())
                .map(ErrorReport::className)
                .contains("java.lang.ClassNotFoundException");
        assertThat(LAB.value("com.sun.source.tree.Tree.class.getName().length()")).isEqualTo("24");
    }
}

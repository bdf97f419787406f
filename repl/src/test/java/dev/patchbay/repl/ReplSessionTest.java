package dev.patchbay.repl;

import static dev.patchbay.repl.EvaluationResult.Status.DONE;
import static dev.patchbay.repl.EvaluationResult.Status.FAILED;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** What a session does with code that behaves. All tests share one JVM. */
class ReplSessionTest {
    private static final ReplTestSession REPL = new ReplTestSession();

    @AfterAll
    static void end() {
        REPL.close();
    }

    @Test
    void reportsValueAndType() throws Exception {
        var evaluation = REPL.run("IntStream.range(0, 5).sum()");
        assertThat(evaluation.status()).isEqualTo(DONE);
        assertThat(evaluation.snippets())
                .singleElement()
                .satisfies(
                        snippet -> {
                            assertThat(snippet.value()).isEqualTo("10");
                            assertThat(snippet.type()).isEqualTo("int");
                            assertThat(snippet.summaryLine()).isEqualTo("=> 10 : int");
                        });
    }

    /** INV-003 of the REPL: definitions persist. */
    @Test
    void keepsDefinitionsBetweenEvaluations() throws Exception {
        REPL.run("import java.util.zip.CRC32;");
        REPL.run("record Point(int x, int y) {}");
        REPL.run("int sum(Point p) { return p.x() + p.y(); }");
        REPL.run("var point = new Point(3, 4);");
        assertThat(REPL.value("sum(point)")).isEqualTo("7");
        assertThat(REPL.value("new CRC32().getValue()")).isEqualTo("0");
    }

    @Test
    void redefinitionReplacesDefinition() throws Exception {
        REPL.run("int twice(int n) { return n + n; }\nint useTwice() { return twice(4); }");
        assertThat(REPL.value("useTwice()")).isEqualTo("8");
        REPL.run("int twice(int n) { return -n; }");
        assertThat(REPL.value("useTwice()")).isEqualTo("-4");
        REPL.run("int changing = 1;");
        REPL.run("String changing = \"text\";");
        assertThat(REPL.value("changing")).isEqualTo("\"text\"");
    }

    /** INV-004 of the REPL: values, standard output and standard error can be told apart. */
    @Test
    void separatesValueOutputAndErrorOutput() throws Exception {
        var evaluation =
                REPL.run("System.out.println(\"to out\"); System.err.println(\"to err\"); 5");
        assertThat(evaluation.out()).isEqualTo("to out\n");
        assertThat(evaluation.err()).isEqualTo("to err\n");
        assertThat(evaluation.value()).contains("5");
    }

    @Test
    void keepsOutputInOrder() throws Exception {
        var evaluation =
                REPL.run(
                        "for (int i = 0; i < 3; i++) {\n"
                                + " System.out.print(\"o\" + i); System.err.print(\"e\" + i); }");
        assertThat(evaluation.output().chunks())
                .extracting(CapturedOutput.Chunk::text)
                .containsExactly("o0", "e0", "o1", "e1", "o2", "e2");
    }

    @Test
    void passesOnAnyCharacter() throws Exception {
        var evaluation =
                REPL.run("System.out.print(\"a\\0b\\u0007é😀\\u2028\\ud800x\"); \"é😀\\0\"");
        assertThat(evaluation.out()).isEqualTo("a\0b\u0007é😀\u2028?x");
        assertThat(evaluation.value()).contains("\"é😀\\u0000\"");
    }

    @Test
    void joinsBytesOfCharacter() throws Exception {
        var evaluation =
                REPL.run(
                        "for (byte b : \"é😀\".getBytes(StandardCharsets.UTF_8)) {\n"
                                + " System.out.write(b); System.out.flush(); }");
        assertThat(evaluation.out()).isEqualTo("é😀");
    }

    @Test
    void lineEndMayEndSnippet() throws Exception {
        var evaluation =
                REPL.run(
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
        assertThat(evaluation.status()).isEqualTo(DONE);
        assertThat(evaluation.snippets())
                .extracting(SnippetResult::value)
                .containsExactly("1", "2", "[1, 2, 3]", null, "\"hello you\"");
    }

    @Test
    void supportsMutuallyDependentTypes() throws Exception {
        var evaluation =
                REPL.run(
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
        assertThat(evaluation.status()).isEqualTo(FAILED);
        assertThat(evaluation.snippets().subList(0, 4))
                .as("what a type needed came in the same code")
                .allMatch(snippet -> snippet.missing().isEmpty())
                .allMatch(snippet -> snippet.status().equals("VALID"));
        REPL.run("boolean lucky() { return false; }");
        assertThat(REPL.value("size(lucky() ? new Circle(1) : new Square(3))")).isEqualTo("9");
    }

    @Test
    void emptyCodeHasNoSnippets() throws Exception {
        for (String code : List.of("", "  \n", "// a comment", "/* another */")) {
            var evaluation = REPL.run(code);
            assertThat(evaluation.status()).isEqualTo(DONE);
            assertThat(evaluation.snippets()).isEmpty();
        }
    }

    /** INV-006 of the REPL: the class of an error is reported. */
    @Test
    void reportsExceptionClass() throws Exception {
        var evaluation = REPL.run("System.out.println(\"before\");\n1 / 0\nint never = 1;");
        assertThat(evaluation.status()).isEqualTo(FAILED);
        assertThat(evaluation.out()).isEqualTo("before\n");
        assertThat(evaluation.error())
                .map(ErrorReport::summary)
                .contains("java.lang.ArithmeticException: / by zero");
        assertThat(evaluation.notRun()).isEqualTo("int never = 1;");
        assertThat(REPL.run("never").status()).isEqualTo(FAILED);
    }

    @Test
    void mapsStackTraceToSnippets() throws Exception {
        var defined =
                REPL.run(
                        """
                        int fails(int n) {
                            int other = n;
                            return other / 0;
                        }
                        """);
        String id = defined.snippets().getFirst().id();
        REPL.run("try { fails(1); } catch (Exception e) {\n throw new IllegalStateException(e); }");
        var error = REPL.session.lastError().orElseThrow();
        assertThat(error.className()).isEqualTo("java.lang.IllegalStateException");
        assertThat(error.cause().className()).isEqualTo("java.lang.ArithmeticException");
        assertThat(error.fullText()).contains("at fails (snippet " + id + ", line 3)");
    }

    @Test
    void showsSessionFramesBelowLibraryFrames() throws Exception {
        REPL.run(
                "String slurp(String name) throws IOException {\n"
                        + "    return Files.readString(Path.of(name));\n}");
        ErrorReport error = REPL.run("slurp(\"absent\")").error().orElseThrow();
        assertThat(error.shortText().lines())
                .hasSizeLessThan(8)
                .anyMatch(line -> line.matches("  … \\d+ frames"))
                .anyMatch(line -> line.matches("  at slurp \\(snippet \\d+, line 2\\)"))
                .anyMatch(line -> line.matches("  at snippet \\d+, line 1"));
    }

    @Test
    void reportsDeclaredExceptionByName() throws Exception {
        REPL.run("class Broken extends RuntimeException { Broken(String m) { super(m); } }");
        assertThat(REPL.run("throw new Broken(\"into pieces\");").error())
                .map(ErrorReport::summary)
                .contains("Broken: into pieces");
        assertThat(REPL.run("throw new RuntimeException(\"bare\") {};").error())
                .map(ErrorReport::summary)
                .contains("java.lang.RuntimeException: bare");
    }

    @Test
    void reportsPositionOfCompilerMessages() throws Exception {
        var evaluation = REPL.run("int fine = 1;\nint wrong =\n    \"text\";\nint rest = 2;");
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
    void reportsMissingDeclarationsOfMethod() throws Exception {
        var evaluation = REPL.run("int early() { return late(); }");
        assertThat(evaluation.snippets().getFirst().summaryLine()).contains("method late()");
        assertThat(REPL.run("early()").error().orElseThrow().summary()).contains("method late()");
        REPL.run("int late() { return 8; }");
        assertThat(REPL.value("early()")).isEqualTo("8");
    }

    @Test
    void truncatesLongValue() throws Exception {
        assertThat(REPL.value("\"x\".repeat(1_000_000)"))
                .hasSizeLessThan(20_100)
                .endsWith("more characters)\"");
        assertThat(REPL.value("new int[1_000_000]")).hasSizeLessThan(20_100);
    }

    @Test
    void showsArrayElements() throws Exception {
        assertThat(REPL.value("new int[][] {{1, 2}, {}}"))
                .isEqualTo("int[][2] { int[2] { 1, 2 }, int[0] { } }");
    }

    @Test
    void measuresTimeAndAllocation() throws Exception {
        var evaluation =
                REPL.session.evaluate(
                        new EvaluationRequest(
                                "byte[] make() { return new byte[100_000]; }\nmake().length",
                                50,
                                ""),
                        EvaluationLimits.DEFAULTS,
                        ProgressListener.NONE);
        Measurement cost = evaluation.snippets().getLast().measurement();
        assertThat(cost.runs()).isEqualTo(50);
        assertThat(cost.bytesPerRun()).isBetween(100_000L, 200_000L);
        assertThat(cost.minNanos()).isPositive().isLessThanOrEqualTo(cost.medianNanos());
        assertThat(cost.totalNanos()).isGreaterThanOrEqualTo(cost.maxNanos());
        assertThatThrownBy(
                        () ->
                                REPL.session.evaluate(
                                        new EvaluationRequest("1", 0, ""),
                                        EvaluationLimits.DEFAULTS,
                                        ProgressListener.NONE))
                .isInstanceOf(ReplException.class);
    }

    @Test
    void runsConcurrentCallsOneAfterTheOther() throws Exception {
        REPL.run("int counted = 0;");
        var threads =
                IntStream.range(0, 8)
                        .mapToObj(
                                i ->
                                        Thread.ofVirtual()
                                                .start(
                                                        () -> {
                                                            try {
                                                                REPL.run("counted += 1;");
                                                            } catch (Exception e) {
                                                                throw new AssertionError(e);
                                                            }
                                                        }))
                        .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(REPL.value("counted")).isEqualTo("8");
    }

    @Test
    void codeDoesNotSeeGatewayClasses() throws Exception {
        assertThat(REPL.run("dev.patchbay.json.Json.NULL").status()).isEqualTo(FAILED);
        assertThat(REPL.run("Class.forName(\"dev.patchbay.json.Json\")").error())
                .map(ErrorReport::className)
                .contains("java.lang.ClassNotFoundException");
        assertThat(REPL.value("com.sun.source.tree.Tree.class.getName().length()")).isEqualTo("24");
    }
}

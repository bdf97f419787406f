package dev.patchbay.repl;

import static dev.patchbay.repl.EvaluationResult.Status.DIED;
import static dev.patchbay.repl.EvaluationResult.Status.DONE;
import static dev.patchbay.repl.EvaluationResult.Status.FAILED;
import static dev.patchbay.repl.EvaluationResult.Status.TIMED_OUT;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** What a session does with code that means harm. After each test the session still answers. */
@Tag("slow")
class HostileCodeTest {
    private static final ReplTestSession REPL = new ReplTestSession();
    private static final Duration SHORT_TIMEOUT = Duration.ofMillis(1_500);

    @AfterAll
    static void end() {
        REPL.close();
    }

    @BeforeEach
    void defineSomething() throws Exception {
        REPL.run("int kept = 7;\nint keptToo() { return 8; }");
    }

    /** INV-002 of the REPL: an error never ends the session for good. */
    @AfterEach
    void sessionStillAnswersAndKeepsItsMethods() throws Exception {
        assertThat(REPL.value("keptToo()")).isEqualTo("8");
    }

    private static void assertSameJvm() throws Exception {
        assertThat(REPL.value("kept")).isEqualTo("7");
    }

    @Test
    void endlessLoopIsStoppedKeepingOutputAndValues() throws Exception {
        var evaluation =
                REPL.run("System.out.println(\"partial\"); while (true) {}", SHORT_TIMEOUT);
        assertThat(evaluation.status()).isEqualTo(TIMED_OUT);
        assertThat(evaluation.out()).isEqualTo("partial\n");
        assertThat(evaluation.elapsed()).isLessThan(Duration.ofSeconds(60));
        assertSameJvm();
    }

    @Test
    void loopThatCatchesEverythingIsStopped() throws Exception {
        String code = "while (true) { try { while (true); } catch (Throwable t) { } }";
        assertThat(REPL.run(code, SHORT_TIMEOUT).status()).isEqualTo(TIMED_OUT);
        assertSameJvm();
    }

    @Test
    void sleepIsStopped() throws Exception {
        assertThat(REPL.run("TimeUnit.HOURS.sleep(1);", SHORT_TIMEOUT).status())
                .isEqualTo(TIMED_OUT);
        assertSameJvm();
    }

    @Test
    void loopsOnOtherThreadsAreStopped() throws Exception {
        REPL.run("var turns = new java.util.concurrent.atomic.AtomicLong();");
        String code =
                "IntStream.range(0, 4).parallel()"
                        + ".forEach(i -> { while (true) turns.incrementAndGet(); });";
        assertThat(REPL.run(code, SHORT_TIMEOUT).status()).isEqualTo(TIMED_OUT);
        String last = REPL.value("TimeUnit.MILLISECONDS.sleep(100); turns.get()");
        assertThat(REPL.value("TimeUnit.MILLISECONDS.sleep(100); turns.get()")).isEqualTo(last);
    }

    /** A thread that is in the JDK's code for a while asks only when it comes back. */
    @Test
    void loopsInLongJdkCallsAreStoppedBeforeTheNextEvaluation() throws Exception {
        REPL.run("var laps = new java.util.concurrent.atomic.AtomicLong();");
        String code =
                """
                for (int i = 0; i < 4; i++) {
                    new Thread(() -> {
                        while (true) {
                            BigInteger.ONE.shiftLeft(400_000).toString();
                            laps.incrementAndGet();
                        }
                    }).start();
                }
                while (true);
                """;
        assertThat(REPL.run(code, SHORT_TIMEOUT).status()).isEqualTo(TIMED_OUT);
        String last = REPL.value("laps.get()");
        assertThat(REPL.value("TimeUnit.MILLISECONDS.sleep(300); laps.get()")).isEqualTo(last);
        assertSameJvm();
    }

    @Test
    void infiniteRecursionIsAnError() throws Exception {
        var evaluation = REPL.run("int deep(int n) { return deep(n + 1) + 1; }\ndeep(0)");
        assertThat(evaluation.status()).isEqualTo(FAILED);
        assertThat(evaluation.error())
                .map(ErrorReport::className)
                .contains("java.lang.StackOverflowError");
        assertSameJvm();
    }

    @Test
    void thrownErrorIsAnError() throws Exception {
        assertThat(REPL.run("throw new LinkageError(\"hostile\");").error())
                .map(ErrorReport::summary)
                .contains("java.lang.LinkageError: hostile");
        assertThat(REPL.run("throw new ThreadDeath();").error())
                .map(ErrorReport::className)
                .contains("java.lang.ThreadDeath");
        assertSameJvm();
    }

    @Test
    void hugeAllocationIsAnError() throws Exception {
        assertThat(REPL.run("new long[500_000_000]").error())
                .map(ErrorReport::className)
                .contains("java.lang.OutOfMemoryError");
        assertSameJvm();
    }

    @Test
    void excessOutputIsTruncatedAtTheEnd() throws Exception {
        var evaluation = REPL.run("System.out.print(\"0123456789\".repeat(300_000)); 1");
        assertThat(evaluation.status()).isEqualTo(DONE);
        assertThat(evaluation.out()).hasSize(100_000).startsWith("0123456789012");
        assertThat(evaluation.output().droppedChars()).isEqualTo(2_900_000);
        assertThat(evaluation.value()).contains("1");
    }

    @Test
    void uncaughtExceptionOfThreadIsReported() throws Exception {
        var evaluation =
                REPL.run(
                        "var dying = new Thread(() -> { throw new RuntimeException(\"inside\");"
                                + " });\n"
                                + "dying.start(); dying.join();");
        assertThat(evaluation.status()).isEqualTo(DONE);
        assertThat(evaluation.err()).contains("java.lang.RuntimeException: inside");
        assertSameJvm();
    }

    @Test
    void backgroundThreadDoesNotDelayTheAnswerAndItsOutputIsKept() throws Exception {
        REPL.session.takeBackgroundOutput();
        var evaluation =
                REPL.run(
                        "var go = new CountDownLatch(1);\n"
                                + "new Thread(() -> { try { go.await();"
                                + " TimeUnit.SECONDS.sleep(2); System.out.println(\"later\"); }"
                                + " catch (InterruptedException e) {} }).start(); 5");
        assertThat(evaluation.value()).contains("5");
        assertThat(REPL.run("go.countDown();").out()).isEmpty();
        var heard = new StringBuilder();
        ReplTestSession.awaitCondition(
                () -> {
                    heard.append(
                            REPL.session
                                    .takeBackgroundOutput()
                                    .text(OutputListener.StandardStream.OUT));
                    return heard.toString().equals("later\n");
                });
    }

    @Test
    void rawDescriptorOutputIsCaptured() throws Exception {
        var evaluation =
                REPL.run(
                        """
                        new FileOutputStream(FileDescriptor.out).write("raw out\\n".getBytes());
                        new FileOutputStream(FileDescriptor.err).write("raw err\\n".getBytes());
                        """);
        assertThat(evaluation.out()).isEqualTo("raw out\n");
        assertThat(evaluation.err()).isEqualTo("raw err\n");
    }

    @Test
    void outputOfInheritingChildProcessIsCaptured() throws Exception {
        var evaluation =
                REPL.run("new ProcessBuilder(\"echo\", \"child\").inheritIO().start().waitFor()");
        assertThat(evaluation.out()).isEqualTo("child\n");
        assertThat(evaluation.value()).contains("0");
    }

    @Test
    void standardInputIsEmpty() throws Exception {
        assertThat(REPL.value("System.in.read()")).isEqualTo("-1");
        assertThat(REPL.run("new Scanner(System.in).nextLine()").error())
                .map(ErrorReport::className)
                .contains("java.util.NoSuchElementException");
    }

    @Test
    void closedStandardStreamsKeepWorking() throws Exception {
        REPL.run("System.out.close(); System.err.close();");
        REPL.run("new FileOutputStream(FileDescriptor.out).close();");
        var evaluation = REPL.run("System.out.println(\"still\"); System.err.println(\"here\");");
        assertThat(evaluation.out()).isEqualTo("still\n");
        assertThat(evaluation.err()).isEqualTo("here\n");
    }

    @Test
    void nullStandardStreamsAreReplaced() throws Exception {
        REPL.run("System.setOut(null); System.setErr(null); System.setIn(null);");
        assertThat(REPL.run("System.out.println(\"back\"); System.in.read()").out())
                .isEqualTo("back\n");
        assertSameJvm();
    }

    @Test
    void endlessToStringIsStopped() throws Exception {
        String code = "new Object() { public String toString() { while (true); } }";
        assertThat(REPL.run(code, SHORT_TIMEOUT).status()).isEqualTo(TIMED_OUT);
        assertSameJvm();
        assertThat(REPL.session.definitions().definitions()).isNotEmpty();
    }

    @Test
    void exceptionsWithBrokenMessageOrCyclicCauseAreReported() throws Exception {
        var mute =
                REPL.run(
                        "class Mute extends RuntimeException { public String getMessage() {"
                                + " throw new IllegalStateException(); } }\nthrow new Mute();");
        assertThat(mute.error()).map(ErrorReport::className).contains("Mute");
        var circle =
                REPL.run(
                        "var one = new Exception(\"one\"); var two = new Exception(\"two\", one);\n"
                                + "one.initCause(two); throw one;");
        assertThat(circle.error().orElseThrow().fullText()).contains("one", "Caused by: ", "two");
        assertSameJvm();
    }

    @Test
    void interruptingEveryThreadAffectsOnlyTheSession() throws Exception {
        var evaluation =
                REPL.run("Thread.getAllStackTraces().keySet().forEach(Thread::interrupt);");
        assertThat(evaluation.status()).isIn(DONE, FAILED, DIED);
    }

    @Test
    void deeplyNestedCodeIsAnError() throws Exception {
        String code = "(".repeat(20_000) + "1" + ")".repeat(20_000);
        assertThat(REPL.run(code).status()).isIn(DONE, FAILED, DIED, TIMED_OUT);
    }

    @Test
    void interruptStopsTheEvaluationButNotTheSession() throws Exception {
        var begun = new CountDownLatch(1);
        var thrown = new AtomicReference<Exception>();
        var caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        REPL.session.evaluate(
                                                "while (true) {}",
                                                EvaluationLimits.DEFAULTS,
                                                (elapsed, message) -> begun.countDown());
                                    } catch (Exception e) {
                                        thrown.set(e);
                                    }
                                });
        begun.await();
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertSameJvm();
    }

    @Test
    void resetStopsRunningCodeAndClearsDefinitions() throws Exception {
        var begun = new CountDownLatch(1);
        var ending = new AtomicReference<EvaluationResult.Status>();
        var caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        ending.set(
                                                REPL.session
                                                        .evaluate(
                                                                "while (true) {}",
                                                                EvaluationLimits.DEFAULTS,
                                                                (e, m) -> begun.countDown())
                                                        .status());
                                    } catch (Exception e) {
                                        throw new AssertionError(e);
                                    }
                                });
        begun.await();
        REPL.session.reset();
        caller.join();
        assertThat(ending.get()).isEqualTo(DIED);
        assertThat(REPL.session.definitions().definitions()).isEmpty();
        assertThat(REPL.session.takeNotice()).isEmpty();
        REPL.run("int keptToo() { return 8; }");
    }

    @Test
    void rejectsCodeThatIsTooLong() {
        assertThatThrownBy(() -> REPL.run("/" + "*".repeat(ReplSession.CODE_CHARS_MAX) + "/"))
                .isInstanceOf(ReplException.class)
                .hasMessageContaining("longer");
    }
}

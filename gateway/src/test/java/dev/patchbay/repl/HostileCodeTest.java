package dev.patchbay.repl;

import static dev.patchbay.repl.Evaluation.Ending.DIED;
import static dev.patchbay.repl.Evaluation.Ending.DONE;
import static dev.patchbay.repl.Evaluation.Ending.FAILED;
import static dev.patchbay.repl.Evaluation.Ending.TIMED_OUT;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** What a session does with code that means harm. After each test the session still answers. */
class HostileCodeTest {
    private static final Lab LAB = new Lab();
    private static final Duration SHORT = Duration.ofMillis(1_500);

    @AfterAll
    static void end() {
        LAB.close();
    }

    @BeforeEach
    void defineSomething() throws Exception {
        LAB.run("int kept = 7;\nint keptToo() { return 8; }");
    }

    /** INV-002 of the REPL: an error never ends the session for good. */
    @AfterEach
    void stillAnswersAndStillKnowsItsMethods() throws Exception {
        assertThat(LAB.value("keptToo()")).isEqualTo("8");
    }

    private static void assertSameJvm() throws Exception {
        assertThat(LAB.value("kept")).isEqualTo("7");
    }

    @Test
    void endlessLoopIsStoppedWithItsOutputAndTheValuesKept() throws Exception {
        var evaluation = LAB.run("System.out.println(\"partial\"); while (true) {}", SHORT);
        assertThat(evaluation.ending()).isEqualTo(TIMED_OUT);
        assertThat(evaluation.out()).isEqualTo("partial\n");
        assertThat(evaluation.elapsed()).isLessThan(Duration.ofSeconds(10));
        assertSameJvm();
    }

    @Test
    void loopThatCatchesEverythingIsStopped() throws Exception {
        String code = "while (true) { try { while (true); } catch (Throwable t) { } }";
        assertThat(LAB.run(code, SHORT).ending()).isEqualTo(TIMED_OUT);
        assertSameJvm();
    }

    @Test
    void sleepIsStopped() throws Exception {
        assertThat(LAB.run("TimeUnit.HOURS.sleep(1);", SHORT).ending()).isEqualTo(TIMED_OUT);
        assertSameJvm();
    }

    @Test
    void loopsOnOtherThreadsAreStoppedToo() throws Exception {
        LAB.run("var turns = new java.util.concurrent.atomic.AtomicLong();");
        String code =
                "IntStream.range(0, 4).parallel()"
                        + ".forEach(i -> { while (true) turns.incrementAndGet(); });";
        assertThat(LAB.run(code, SHORT).ending()).isEqualTo(TIMED_OUT);
        String last = LAB.value("TimeUnit.MILLISECONDS.sleep(100); turns.get()");
        assertThat(LAB.value("TimeUnit.MILLISECONDS.sleep(100); turns.get()")).isEqualTo(last);
    }

    /** A thread that is in the JDK's code for a while asks only when it comes back. */
    @Test
    void loopsThatAskSeldomAreStoppedBeforeTheNextCode() throws Exception {
        LAB.run("var laps = new java.util.concurrent.atomic.AtomicLong();");
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
        assertThat(LAB.run(code, SHORT).ending()).isEqualTo(TIMED_OUT);
        String last = LAB.value("laps.get()");
        assertThat(LAB.value("TimeUnit.MILLISECONDS.sleep(300); laps.get()")).isEqualTo(last);
        assertSameJvm();
    }

    @Test
    void waitThatNothingStopsEndsTheJvm() throws Exception {
        String code =
                """
                var lock = new java.util.concurrent.locks.ReentrantLock();
                var taken = new CountDownLatch(1);
                new Thread(() -> { lock.lock(); taken.countDown(); }).start();
                taken.await();
                lock.lock();
                """;
        var evaluation = LAB.run(code, Duration.ofSeconds(4));
        assertThat(evaluation.ending()).isEqualTo(TIMED_OUT);
        assertThat(evaluation.detail())
                .contains("ending the session's JVM", "keptToo()", "int kept");
        var next = LAB.run("kept");
        assertThat(next.value()).contains("0");
        assertThat(next.notice()).contains("did not stop at its limit", "values lost", "int kept");
    }

    @Test
    void exitEndsTheJvmAndTheNextCallSaysWhatWasLost() throws Exception {
        var evaluation = LAB.run("System.out.println(\"bye\"); System.exit(3);");
        assertThat(evaluation.ending()).isEqualTo(DIED);
        assertThat(evaluation.out()).isEqualTo("bye\n");
        assertThat(evaluation.detail()).contains("exit status 3");
        var next = LAB.run("kept");
        assertThat(next.ending()).isEqualTo(DONE);
        assertThat(next.value()).contains("0");
        assertThat(next.notice()).contains("exit status 3", "Kept: ", "int keptToo()", "int kept");
    }

    @Test
    void afterADeathThereAreImportsTypesAndMethodsAgain() throws Exception {
        LAB.run("import java.util.zip.CRC32;\nrecord Pair(int a, int b) {}");
        LAB.run("int sum(Pair p) { return p.a() + p.b(); }");
        assertThat(LAB.run("System.exit(1);").ending()).isEqualTo(DIED);
        assertThat(LAB.value("sum(new Pair(3, 4)) + new CRC32().getValue()")).isEqualTo("7");
    }

    @Test
    void whatWasPrintedBeforeAHaltIsNotLost() throws Exception {
        var evaluation =
                LAB.run("System.out.println(\"last words\"); Runtime.getRuntime().halt(3);");
        assertThat(evaluation.ending()).isEqualTo(DIED);
        assertThat(evaluation.out()).isEqualTo("last words\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"System.exit(0);", "Runtime.getRuntime().halt(0);"})
    void processesThatTheCodeStartedEndWithTheJvm(String end) throws Exception {
        String pid = LAB.value("new ProcessBuilder(\"sleep\", \"600\").start().pid()");
        var left = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        assertThat(LAB.run(end).ending()).isEqualTo(DIED);
        left.onExit().get(30, TimeUnit.SECONDS);
    }

    @Test
    void killedJvmIsReplacedBetweenTwoCalls() throws Exception {
        String pid = LAB.value("ProcessHandle.current().pid()");
        var victim = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        victim.destroyForcibly();
        victim.onExit().get(30, TimeUnit.SECONDS);
        var next = LAB.run("keptToo()");
        assertThat(next.value()).contains("8");
        assertThat(next.notice()).contains("signal 9", "int kept");
    }

    @Test
    void infiniteRecursionIsAnError() throws Exception {
        var evaluation = LAB.run("int deep(int n) { return deep(n + 1) + 1; }\ndeep(0)");
        assertThat(evaluation.ending()).isEqualTo(FAILED);
        assertThat(evaluation.error())
                .map(ErrorReport::className)
                .contains("java.lang.StackOverflowError");
        assertSameJvm();
    }

    @Test
    void thrownErrorIsAnError() throws Exception {
        assertThat(LAB.run("throw new LinkageError(\"hostile\");").error())
                .map(ErrorReport::headline)
                .contains("java.lang.LinkageError: hostile");
        assertThat(LAB.run("throw new ThreadDeath();").error())
                .map(ErrorReport::className)
                .contains("java.lang.ThreadDeath");
        assertSameJvm();
    }

    @Test
    void hugeAllocationIsAnError() throws Exception {
        assertThat(LAB.run("new long[500_000_000]").error())
                .map(ErrorReport::className)
                .contains("java.lang.OutOfMemoryError");
        assertSameJvm();
    }

    @Test
    void exhaustedMemoryIsAnErrorOrTheEndOfTheJvm() throws Exception {
        var evaluation =
                LAB.run(
                        "var hoard = new ArrayList<byte[]>(); while (true) hoard.add(new"
                                + " byte[9999]);");
        assertThat(evaluation.ending()).isIn(FAILED, DIED, TIMED_OUT);
        if (evaluation.ending() == FAILED) {
            assertThat(evaluation.error())
                    .map(ErrorReport::className)
                    .contains("java.lang.OutOfMemoryError");
        }
        LAB.run("hoard = null;");
    }

    @Test
    void tooMuchOutputIsCutWithItsBeginningKept() throws Exception {
        var evaluation = LAB.run("System.out.print(\"0123456789\".repeat(300_000)); 1");
        assertThat(evaluation.ending()).isEqualTo(DONE);
        assertThat(evaluation.out()).hasSize(100_000).startsWith("0123456789012");
        assertThat(evaluation.printed().droppedChars()).isEqualTo(2_900_000);
        assertThat(evaluation.value()).contains("1");
    }

    @Test
    void threadThatDiesIsHeardOf() throws Exception {
        var evaluation =
                LAB.run(
                        "var dying = new Thread(() -> { throw new RuntimeException(\"inside\");"
                                + " });\n"
                                + "dying.start(); dying.join();");
        assertThat(evaluation.ending()).isEqualTo(DONE);
        assertThat(evaluation.err()).contains("java.lang.RuntimeException: inside");
        assertSameJvm();
    }

    @Test
    void threadLeftRunningDoesNotHoldTheAnswerAndIsHeardLater() throws Exception {
        LAB.session.takeBackground();
        var evaluation =
                LAB.run(
                        "var go = new CountDownLatch(1);\n"
                                + "new Thread(() -> { try { go.await();"
                                + " TimeUnit.SECONDS.sleep(2); System.out.println(\"later\"); }"
                                + " catch (InterruptedException e) {} }).start(); 5");
        assertThat(evaluation.value()).contains("5");
        assertThat(LAB.run("go.countDown();").out()).isEmpty();
        var heard = new StringBuilder();
        Lab.await(
                () -> {
                    heard.append(LAB.session.takeBackground().text(Printed.Target.OUT));
                    return heard.toString().equals("later\n");
                });
    }

    @Test
    void rawDescriptorsAreOutputToo() throws Exception {
        var evaluation =
                LAB.run(
                        """
                        new FileOutputStream(FileDescriptor.out).write("raw out\\n".getBytes());
                        new FileOutputStream(FileDescriptor.err).write("raw err\\n".getBytes());
                        """);
        assertThat(evaluation.out()).isEqualTo("raw out\n");
        assertThat(evaluation.err()).isEqualTo("raw err\n");
    }

    @Test
    void childProcessThatInheritsTheDescriptorsIsOutputToo() throws Exception {
        var evaluation =
                LAB.run("new ProcessBuilder(\"echo\", \"child\").inheritIO().start().waitFor()");
        assertThat(evaluation.out()).isEqualTo("child\n");
        assertThat(evaluation.value()).contains("0");
    }

    @Test
    void standardInputIsAtItsEnd() throws Exception {
        assertThat(LAB.value("System.in.read()")).isEqualTo("-1");
        assertThat(LAB.run("new Scanner(System.in).nextLine()").error())
                .map(ErrorReport::className)
                .contains("java.util.NoSuchElementException");
    }

    @Test
    void closedStandardStreamsGoOnWorking() throws Exception {
        LAB.run("System.out.close(); System.err.close();");
        LAB.run("new FileOutputStream(FileDescriptor.out).close();");
        var evaluation = LAB.run("System.out.println(\"still\"); System.err.println(\"here\");");
        assertThat(evaluation.out()).isEqualTo("still\n");
        assertThat(evaluation.err()).isEqualTo("here\n");
    }

    @Test
    void missingStandardStreamsAreMended() throws Exception {
        LAB.run("System.setOut(null); System.setErr(null); System.setIn(null);");
        assertThat(LAB.run("System.out.println(\"back\"); System.in.read()").out())
                .isEqualTo("back\n");
        assertSameJvm();
    }

    @Test
    void stringFormThatNeverEndsIsStopped() throws Exception {
        String code = "new Object() { public String toString() { while (true); } }";
        assertThat(LAB.run(code, SHORT).ending()).isEqualTo(TIMED_OUT);
        assertSameJvm();
        assertThat(LAB.session.definitions().definitions()).isNotEmpty();
    }

    @Test
    void exceptionsThatHideTheirMessageOrTheirEndAreReported() throws Exception {
        var mute =
                LAB.run(
                        "class Mute extends RuntimeException { public String getMessage() {"
                                + " throw new IllegalStateException(); } }\nthrow new Mute();");
        assertThat(mute.error()).map(ErrorReport::className).contains("Mute");
        var circle =
                LAB.run(
                        "var one = new Exception(\"one\"); var two = new Exception(\"two\", one);\n"
                                + "one.initCause(two); throw one;");
        assertThat(circle.error().orElseThrow().full()).contains("one", "Caused by: ", "two");
        assertSameJvm();
    }

    @Test
    void interruptingEveryThreadHurtsTheSessionOnly() throws Exception {
        var evaluation = LAB.run("Thread.getAllStackTraces().keySet().forEach(Thread::interrupt);");
        assertThat(evaluation.ending()).isIn(DONE, FAILED, DIED);
    }

    @Test
    void deeplyNestedCodeIsAnError() throws Exception {
        String code = "(".repeat(20_000) + "1" + ")".repeat(20_000);
        assertThat(LAB.run(code).ending()).isIn(DONE, FAILED, DIED, TIMED_OUT);
    }

    @Test
    void interruptStopsTheEvaluationAndNotTheSession() throws Exception {
        var begun = new CountDownLatch(1);
        var thrown = new AtomicReference<Exception>();
        var caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        LAB.session.evaluate(
                                                "while (true) {}",
                                                Limits.DEFAULTS,
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
    void resetEndsWhatRunsAndForgetsEverything() throws Exception {
        var begun = new CountDownLatch(1);
        var ending = new AtomicReference<Evaluation.Ending>();
        var caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        ending.set(
                                                LAB.session
                                                        .evaluate(
                                                                "while (true) {}",
                                                                Limits.DEFAULTS,
                                                                (e, m) -> begun.countDown())
                                                        .ending());
                                    } catch (Exception e) {
                                        throw new AssertionError(e);
                                    }
                                });
        begun.await();
        LAB.session.reset();
        caller.join();
        assertThat(ending.get()).isEqualTo(DIED);
        assertThat(LAB.session.definitions().definitions()).isEmpty();
        assertThat(LAB.session.takeNotice()).isEmpty();
        LAB.run("int keptToo() { return 8; }");
    }

    @Test
    void refusesCodeWithoutABound() {
        assertThatThrownBy(() -> LAB.run("/" + "*".repeat(Session.CODE_CHARS_MAX) + "/"))
                .isInstanceOf(SessionException.class)
                .hasMessageContaining("longer");
    }
}

package dev.patchbay.repl;

import static dev.patchbay.repl.EvaluationResult.Status.DIED;
import static dev.patchbay.repl.EvaluationResult.Status.DONE;
import static dev.patchbay.repl.EvaluationResult.Status.FAILED;
import static dev.patchbay.repl.EvaluationResult.Status.TIMED_OUT;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What a session does when its JVM ends. After each test the session still answers. */
@Tag("slow")
class SessionJvmEndTest {
    private static final ReplTestSession REPL = new ReplTestSession();

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

    @Test
    void unstoppableWaitEndsTheJvm() throws Exception {
        String code =
                """
                var lock = new java.util.concurrent.locks.ReentrantLock();
                var taken = new CountDownLatch(1);
                new Thread(() -> { lock.lock(); taken.countDown(); }).start();
                taken.await();
                lock.lock();
                """;
        var evaluation = REPL.run(code, Duration.ofSeconds(4));
        assertThat(evaluation.status()).isEqualTo(TIMED_OUT);
        assertThat(evaluation.detail())
                .contains("ending the session's JVM", "keptToo()", "int kept");
        var next = REPL.run("kept");
        assertThat(next.value()).contains("0");
        assertThat(next.notice()).contains("did not stop at its limit", "values lost", "int kept");
    }

    @Test
    void exitEndsTheJvmAndTheNextCallReportsLostValues() throws Exception {
        var evaluation = REPL.run("System.out.println(\"bye\"); System.exit(3);");
        assertThat(evaluation.status()).isEqualTo(DIED);
        assertThat(evaluation.out()).isEqualTo("bye\n");
        assertThat(evaluation.detail()).contains("exit status 3");
        var next = REPL.run("kept");
        assertThat(next.status()).isEqualTo(DONE);
        assertThat(next.value()).contains("0");
        assertThat(next.notice()).contains("exit status 3", "Kept: ", "int keptToo()", "int kept");
    }

    @Test
    void importsTypesAndMethodsAreRestoredAfterJvmEnd() throws Exception {
        REPL.run("import java.util.zip.CRC32;\nrecord Pair(int a, int b) {}");
        REPL.run("int sum(Pair p) { return p.a() + p.b(); }");
        assertThat(REPL.run("System.exit(1);").status()).isEqualTo(DIED);
        assertThat(REPL.value("sum(new Pair(3, 4)) + new CRC32().getValue()")).isEqualTo("7");
    }

    @Test
    void outputBeforeHaltIsNotLost() throws Exception {
        var evaluation =
                REPL.run("System.out.println(\"last words\"); Runtime.getRuntime().halt(3);");
        assertThat(evaluation.status()).isEqualTo(DIED);
        assertThat(evaluation.out()).isEqualTo("last words\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"System.exit(0);", "Runtime.getRuntime().halt(0);"})
    void childProcessesEndWithTheJvm(String end) throws Exception {
        String pid = REPL.value("new ProcessBuilder(\"sleep\", \"600\").start().pid()");
        var left = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        assertThat(REPL.run(end).status()).isEqualTo(DIED);
        left.onExit().get(30, TimeUnit.SECONDS);
    }

    @Test
    void killedJvmIsReplacedBetweenTwoCalls() throws Exception {
        String pid = REPL.value("ProcessHandle.current().pid()");
        var victim = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        victim.destroyForcibly();
        victim.onExit().get(30, TimeUnit.SECONDS);
        var next = REPL.run("keptToo()");
        assertThat(next.value()).contains("8");
        assertThat(next.notice()).contains("signal 9", "int kept");
    }

    @Test
    void exhaustedMemoryIsAnErrorOrEndsTheJvm() throws Exception {
        var evaluation =
                REPL.run(
                        "var hoard = new ArrayList<byte[]>(); while (true) hoard.add(new"
                                + " byte[9999]);");
        assertThat(evaluation.status()).isIn(FAILED, DIED, TIMED_OUT);
        if (evaluation.status() == FAILED) {
            assertThat(evaluation.error())
                    .map(ErrorReport::className)
                    .contains("java.lang.OutOfMemoryError");
        }
        REPL.run("hoard = null;");
    }
}

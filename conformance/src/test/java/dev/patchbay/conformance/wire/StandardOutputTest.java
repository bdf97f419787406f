package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.Launch.Stderr;
import dev.patchbay.testkit.Messages;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;

/** Standard output carries the protocol and nothing else, whoever has something to say. */
class StandardOutputTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** MI5: what a JVM says without being asked. */
    @Test
    void keepsAThreadDumpToStandardError() throws Exception {
        try (var talk = Talk.open(Cell.PLAIN)) {
            talk.client().signal("QUIT");
            talk.expectResult(Messages.request("1", "tools/list", ""), "1");
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!talk.client().stderr().contains("Heap")) {
                assertThat(System.nanoTime()).as("a thread dump").isLessThan(deadline);
                talk.expectResult(Messages.request("2", "ping", ""), "2");
            }
            talk.finish();
        }
    }

    /** MI5: what a JVM says when it is asked to. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xlog:gc*",
                "-Xlog:all=info",
                "-Xlog:gc*:stdout",
                "-XX:+PrintCommandLineFlags",
                "-XX:+PrintFlagsFinal",
                "-showversion",
                "-verbose:class",
                "-XX:+UseLargePages",
                "-XX:NativeMemoryTracking=summary -XX:+UnlockDiagnosticVMOptions"
                        + " -XX:+PrintNMTStatistics",
                "-XX:+UnlockDiagnosticVMOptions -XX:+LogVMOutput -XX:LogFile=/dev/null"
            })
    void keepsTheWordsOfTheJvmToStandardError(String options) throws Exception {
        check("PATCHBAY_JAVA_OPTS", options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"})
    void keepsBannersToStandardError(String variable) throws Exception {
        check(variable, "-Dx=y -Xlog:gc* -XX:+PrintCommandLineFlags");
    }

    private static void check(String variable, String options) throws Exception {
        Path folder = Talk.newFolder();
        Launch launch = Talk.launch(Cell.PLAIN, folder).env(variable, options);
        try (var talk = Talk.start(Cell.PLAIN, folder, launch).opened()) {
            for (int i = 0; i < 50; i++) {
                talk.expectResult(
                        Messages.request("\"" + i + "\"", "tools/list", ""), "\"" + i + "\"");
            }
            talk.finish();
        }
    }

    /** Nobody reads what is said there, or it cannot be said at all. */
    @ParameterizedTest
    @EnumSource(Stderr.class)
    void doesNotDependOnStandardError(Stderr way) throws Exception {
        Path folder = Talk.newFolder();
        Launch launch = Talk.launch(Cell.PLAIN, folder).stderr(way);
        try (var talk = Talk.start(Cell.PLAIN, folder, launch).opened()) {
            for (int i = 0; i < 1_000; i++) {
                talk.expectError("{not json " + i, -32700, "null");
                talk.expectError(Messages.request("1", "no/such", ""), -32601, "1");
            }
            talk.finish();
        }
    }

    /** Bad input is the client's affair: ten thousand faults are no flood of log lines. */
    @Test
    void logsNothingAboutBadInput() throws Exception {
        try (var talk = Talk.open(Cell.PLAIN)) {
            for (int i = 0; i < 1_000; i++) {
                talk.expectError("{not json " + i, -32700, "null");
                talk.expectError(
                        Messages.request("1", "tools/call", "{\"name\":\"x\"}"), -32602, "1");
            }
            assertThat(talk.client().stderrBytes()).as(talk.client().stderr()).isLessThan(2_000);
            talk.finish();
        }
    }

    /** A mark that some editors put before everything is not taken for a message's part. */
    @Test
    void ignoresAByteOrderMarkAtTheStart() throws Exception {
        try (var talk = Talk.start(Cell.PLAIN)) {
            talk.client().sendLine("\ufeff" + Messages.request("1", "ping", ""));
            assertThat(talk.client().awaitAnswer("1").has("result")).isTrue();
            talk.finish();
        }
    }
}

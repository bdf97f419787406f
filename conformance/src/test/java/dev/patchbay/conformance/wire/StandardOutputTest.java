package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.ProcessLaunch.StderrMode;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Standard output carries the protocol and nothing else, whoever has something to say. */
class StandardOutputTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** What makes a JVM talk, as far as it goes together; lines that end in another way with it. */
    private static final String VERBOSE_JVM_OPTIONS =
            "-Xlog:gc*:stdout -XX:+PrintCommandLineFlags -showversion -XX:+UseLargePages"
                    + " -XX:NativeMemoryTracking=summary -XX:+UnlockDiagnosticVMOptions"
                    + " -XX:+PrintNMTStatistics -Dline.separator=\r ";

    @TempDir private static Path library;

    private static String agent = "";

    @BeforeAll
    static void compile() throws IOException {
        agent = StdoutPolluter.agentOption(library);
    }

    /** MI4, MI5, MI6: all that may ever be said at once, by the JVM and by what runs in it. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#gateways")
    void allOtherOutputGoesToStandardError(WireMatrixCase cell) throws Exception {
        Path folder = CheckedConversation.newFolder();
        ProcessLaunch launch =
                CheckedConversation.launchOptions(cell, folder, VERBOSE_JVM_OPTIONS + agent)
                        .env("JAVA_TOOL_OPTIONS", "-Dx=y")
                        .env("JDK_JAVA_OPTIONS", "-Dz=y");
        try (var talk = CheckedConversation.start(cell, folder, launch).initialize()) {
            // Before its first answer a JVM may not know yet what to do with the signal.
            talk.expectResult(talk.request("\"first\"", "tools/list", ""), "\"first\"");
            talk.client().signal("QUIT");
            awaitThreadDump(talk);
            for (int i = 0; i < 10; i++) {
                talk.expectResult(talk.request("" + i, "tools/list", ""), "" + i);
                talk.expectError("{not json " + i, -32700, "null");
            }
            talk.finishAndCheck();
            awaitStderr(talk, "Native Memory Tracking", StdoutPolluter.SHUTDOWN_OUTPUT);
            assertThat(talk.client().stderr())
                    .contains("JDK_JAVA_OPTIONS: ", "JAVA_TOOL_OPTIONS: ", "Full thread dump")
                    .contains("MaxHeapSize", "openjdk version", StdoutPolluter.SERVING_OUTPUT);
        }
    }

    /** Waits for the last of what was said to be read: the pipe may outlive its process. */
    private static void awaitStderr(CheckedConversation talk, String... words) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!Stream.of(words).allMatch(talk.client().stderr()::contains)) {
            assertThat(System.nanoTime()).as(talk.client().stderr()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void awaitThreadDump(CheckedConversation talk) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!talk.client().stderr().contains("JNI global refs")) {
            assertThat(System.nanoTime()).as("a thread dump").isLessThan(deadline);
            talk.expectResult(ClientMessages.request("\"ping\"", "ping", ""), "\"ping\"");
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
    void jvmOutputGoesToStandardError(String options) throws Exception {
        checkStandardOutput(CheckedConversation.JVM_OPTIONS_VARIABLE, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"})
    void jvmBannersGoToStandardError(String variable) throws Exception {
        checkStandardOutput(variable, "-Dx=y -Xlog:gc* -XX:+PrintCommandLineFlags");
    }

    /** MI5: it says that it has begun, and where it will put what it records. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                CheckedConversation.JVM_OPTIONS_VARIABLE,
                "JAVA_TOOL_OPTIONS",
                "JDK_JAVA_OPTIONS"
            })
    void flightRecorderOutputGoesToStandardError(String variable) throws Exception {
        Path recording = library.resolve(variable + ".jfr");
        checkStandardOutput(
                variable, "-XX:StartFlightRecording:dumponexit=true,filename=" + recording);
        assertThat(recording).as("it was at work").isNotEmptyFile();
    }

    private static void checkStandardOutput(String variable, String options) throws Exception {
        Path folder = CheckedConversation.newFolder();
        ProcessLaunch launch =
                CheckedConversation.launchOptions(WireMatrixCase.NEWEST_LEGACY_CASE, folder)
                        .env(variable, options);
        try (var talk =
                CheckedConversation.start(WireMatrixCase.NEWEST_LEGACY_CASE, folder, launch)
                        .initialize()) {
            for (int i = 0; i < 50; i++) {
                talk.expectResult(
                        ClientMessages.request("\"" + i + "\"", "tools/list", ""), "\"" + i + "\"");
            }
            talk.finishAndCheck();
        }
    }

    /** Nobody reads what is said there, or it cannot be said at all. */
    @ParameterizedTest
    @EnumSource(StderrMode.class)
    void doesNotDependOnStandardError(StderrMode way) throws Exception {
        Path folder = CheckedConversation.newFolder();
        ProcessLaunch launch =
                CheckedConversation.launchOptions(WireMatrixCase.NEWEST_LEGACY_CASE, folder)
                        .stderr(way);
        try (var talk =
                CheckedConversation.start(WireMatrixCase.NEWEST_LEGACY_CASE, folder, launch)
                        .initialize()) {
            for (int i = 0; i < 1_000; i++) {
                talk.expectError("{not json " + i, -32700, "null");
                talk.expectError(ClientMessages.request("1", "no/such", ""), -32601, "1");
            }
            talk.finishAndCheck();
        }
    }
}

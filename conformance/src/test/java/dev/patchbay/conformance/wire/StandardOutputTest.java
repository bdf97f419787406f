package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.Launch.Stderr;
import dev.patchbay.testkit.Messages;

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
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** What makes a JVM talk, as far as it goes together; lines that end in another way with it. */
    private static final String TALKATIVE =
            "-Xlog:gc*:stdout -XX:+PrintCommandLineFlags -showversion -XX:+UseLargePages"
                    + " -XX:NativeMemoryTracking=summary -XX:+UnlockDiagnosticVMOptions"
                    + " -XX:+PrintNMTStatistics -Dline.separator=\r ";

    @TempDir private static Path library;

    private static String agent = "";

    @BeforeAll
    static void compile() throws IOException {
        agent = Pollution.agent(library);
    }

    /** MI4, MI5, MI6: all that may ever be said at once, by the JVM and by what runs in it. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.Cell#gateways")
    void keepsWhateverIsSaidToStandardError(Cell cell) throws Exception {
        Path folder = Talk.newFolder();
        Launch launch =
                Talk.launch(cell, folder, TALKATIVE + agent)
                        .env("JAVA_TOOL_OPTIONS", "-Dx=y")
                        .env("JDK_JAVA_OPTIONS", "-Dz=y");
        try (var talk = Talk.start(cell, folder, launch).opened()) {
            // Before its first answer a JVM may not know yet what to do with the signal.
            talk.expectResult(talk.request("\"first\"", "tools/list", ""), "\"first\"");
            talk.client().signal("QUIT");
            awaitThreadDump(talk);
            for (int i = 0; i < 10; i++) {
                talk.expectResult(talk.request("" + i, "tools/list", ""), "" + i);
                talk.expectError("{not json " + i, -32700, "null");
            }
            talk.finish();
            awaitSaid(talk, "Native Memory Tracking", Pollution.LAST_WORDS);
            assertThat(talk.client().stderr())
                    .contains("JDK_JAVA_OPTIONS: ", "JAVA_TOOL_OPTIONS: ", "Full thread dump")
                    .contains("MaxHeapSize", "openjdk version", Pollution.WORDS);
        }
    }

    /** Waits for the last of what was said to be read: the pipe may outlive its process. */
    private static void awaitSaid(Talk talk, String... words) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Stream.of(words).allMatch(talk.client().stderr()::contains)) {
            assertThat(System.nanoTime()).as(talk.client().stderr()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void awaitThreadDump(Talk talk) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!talk.client().stderr().contains("JNI global refs")) {
            assertThat(System.nanoTime()).as("a thread dump").isLessThan(deadline);
            talk.expectResult(Messages.request("\"ping\"", "ping", ""), "\"ping\"");
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
        check(Talk.OPTIONS, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"})
    void keepsBannersToStandardError(String variable) throws Exception {
        check(variable, "-Dx=y -Xlog:gc* -XX:+PrintCommandLineFlags");
    }

    /** MI5: it says that it has begun, and where it will put what it records. */
    @ParameterizedTest
    @ValueSource(strings = {Talk.OPTIONS, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"})
    void keepsTheWordsOfTheFlightRecorderToStandardError(String variable) throws Exception {
        Path recording = library.resolve(variable + ".jfr");
        check(variable, "-XX:StartFlightRecording:dumponexit=true,filename=" + recording);
        assertThat(recording).as("it was at work").isNotEmptyFile();
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
}

package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.testkit.ProcessLaunch.StderrMode;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

class RawStdioClientTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @Test
    void exchangesLinesWithTheProcess() throws InterruptedException {
        try (var client = ProcessLaunch.of("cat").start()) {
            client.sendLine("{\"a\":1}");
            assertThat(new String(client.nextLine(SOON), StandardCharsets.UTF_8))
                    .isEqualTo("{\"a\":1}");
            client.closeInput();
            assertThat(client.exitCode(SOON)).isZero();
            assertThat(client.violations()).isEmpty();
        }
    }

    @Test
    void collectsEveryViolation() throws InterruptedException {
        String lines = "printf '{}\\r\\n'; printf '{\"a\":1,\"a\":2}\\n[]\\nlog\\n\\377\\n{}'";
        try (var client = sh("read x; " + lines).start()) {
            client.sendLine("go");
            assertThat(client.awaitOutputEnd(SOON)).isTrue();
            assertThat(client.violations())
                    .satisfiesExactly(
                            one -> assertThat(one).contains("carriage return"),
                            one -> assertThat(one).contains("stands twice"),
                            one -> assertThat(one).contains("no object"),
                            one -> assertThat(one).contains("not strict JSON"),
                            one -> assertThat(one).contains("UTF-8"),
                            one -> assertThat(one).contains("within a line"));
        }
    }

    @Test
    void reportsOutputBeforeTheFirstRequest() throws InterruptedException {
        try (var client = sh("echo '{}'").start()) {
            assertThat(client.awaitOutputEnd(SOON)).isTrue();
            assertThat(client.violations()).singleElement().asString().contains("before the first");
        }
    }

    @Test
    void keepsUnawaitedLines() throws InterruptedException {
        try (var client = ProcessLaunch.of("cat").start()) {
            client.sendLine("{\"method\":\"one\"}\n{\"method\":\"two\"}");
            client.awaitMethod("two");
            client.awaitMethod("one");
            assertThat(client.untakenLineCount()).isZero();
        }
    }

    @Test
    void takesTheFirstMatchingLine() throws InterruptedException {
        try (var client = ProcessLaunch.of("cat").start()) {
            for (int i = 0; i < 1000; i++) {
                client.sendLine("{\"id\":" + i + ",\"result\":" + i + "}");
            }
            for (int i = 999; i >= 0; i -= 3) {
                String id = Integer.toString(i);
                assertThat(client.awaitResponse(id).at("result").write()).isEqualTo(id);
            }
            assertThat(client.untakenLineCount()).isEqualTo(666);
        }
    }

    @Test
    void failureDescribesTheProcess() {
        try (var client = sh("echo lost >&2; exit 3").start()) {
            assertThatThrownBy(() -> client.nextLine(SOON))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("its output ended");
        }
    }

    @Test
    void startsWithoutInheritedVariables() throws InterruptedException {
        var launch =
                ProcessLaunch.of("/bin/sh", "-c", "read x; echo \"{\\\"v\\\":\\\"$HOME$A\\\"}\"");
        try (var client = launch.clearEnvironment().env("A", "b").start()) {
            client.sendLine("go");
            assertThat(client.awaitMessage(m -> true, SOON).at("v").asText()).isEqualTo("b");
        }
    }

    @Test
    void canCloseTheStandardErrorOfTheProcess() throws InterruptedException {
        var launch = sh("read x; test -e /proc/self/fd/2 && echo '{\"open\":1}' || echo '{}'");
        try (var client = launch.stderr(StderrMode.CLOSED).start()) {
            client.sendLine("go");
            assertThat(client.awaitMessage(m -> true, SOON).has("open")).isFalse();
        }
    }

    @Test
    void reportsChildrenAndMemoryOfTheProcess() throws InterruptedException {
        try (var client = sh("sleep 30 & read x; echo '{}'; wait").start()) {
            client.sendLine("go");
            client.nextLine(SOON);
            assertThat(client.children()).isNotEmpty().allMatch(ProcessInspector::isAlive);
            assertThat(client.residentBytes()).isPositive();
            client.children().forEach(pid -> ProcessHandle.of(pid).orElseThrow().destroy());
            client.kill();
            client.exitCode(SOON);
            assertThat(ProcessInspector.isAlive(client.pid())).isFalse();
        }
    }

    private static ProcessLaunch sh(String script) {
        return ProcessLaunch.of("/bin/sh", "-c", script);
    }
}

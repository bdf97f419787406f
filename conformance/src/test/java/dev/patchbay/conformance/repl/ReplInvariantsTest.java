package dev.patchbay.conformance.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The six invariants of the REPL, against one process that all tests share. */
class ReplInvariantsTest {
    private static final String PROGRESS = "{\"_meta\":{\"progressToken\":\"mine\"},";

    @TempDir private static Path home;

    private static ReplTestClient repl;

    @BeforeAll
    static void open() throws Exception {
        repl = ReplTestClient.open(home);
    }

    @AfterAll
    static void close() {
        repl.close();
    }

    /** INV-005: every message conforms to JSON-RPC 2.0, whatever the test did. */
    @AfterEach
    void assertOutputCorrect() {
        repl.assertOutputCorrect();
    }

    /** INV-001: every request gets exactly one response. */
    @Test
    void answersEveryRequestOnce() throws Exception {
        drainProgress();
        var ids = new ArrayList<String>();
        for (int i = 0; i < 10; i++) {
            ids.add(
                    repl.client.sendRequest(
                            "tools/call", ReplTestClient.evaluateParams("6 * " + i, "")));
            ids.add(repl.client.sendRequest("tools/list", "{}"));
            ids.add(
                    repl.client.sendRequest(
                            "tools/call", ReplTestClient.evaluateParams("throw null;", "")));
            ids.add(
                    repl.client.sendRequest(
                            "tools/call", ClientMessages.callParams("absent", "{}")));
            ids.add(repl.client.sendRequest("ping", ""));
        }
        for (String id : ids) {
            assertThat(repl.client.awaitResponse(id).at("id").write()).isEqualTo(id);
        }
        repl.client.request("ping", "");
        assertThat(repl.client.untakenLineCount()).isZero();
    }

    /** Other tests wait for one notice of progress where more may come; nothing else is left. */
    private static void drainProgress() throws InterruptedException {
        for (var left = repl.client.poll(Duration.ZERO);
                left.isPresent();
                left = repl.client.poll(Duration.ZERO)) {
            JsonTree message = StrictJson.tryParse(left.get()).orElseThrow();
            assertThat(message.at("method").asText()).isEqualTo("notifications/progress");
        }
    }

    /** INV-002: an error in the code never ends the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 / 0",
                "System.exit(1);",
                "Runtime.getRuntime().halt(1);",
                "int deep(int n) { return deep(n + 1) + 1; }\ndeep(0)",
                "throw new LinkageError(\"thrown\");",
                "new long[Integer.MAX_VALUE]",
                "new Scanner(System.in).nextLine()",
                "System.in.read()",
                "while (true);",
                "System.out.println(\"x\".repeat(3_000_000));",
                "System.out.print(\"a\\0b\\u001b[0m\\r\\n{\\\"jsonrpc\\\":\\\"2.0\\\"}\");",
                "new FileOutputStream(FileDescriptor.out).write(\"{\\\"id\\\":1}\\n\".getBytes());",
                "new ProcessBuilder(\"echo\", \"POLLUTION\").inheritIO().start().waitFor()",
                "new Thread(() -> { throw new RuntimeException(); }).start();",
                "Thread.getAllStackTraces().keySet().forEach(Thread::interrupt);",
                "System.setOut(null); System.setErr(null); System.setIn(null);",
                "\"unclosed",
                "((((((",
                "\u0000",
            })
    void survivesErrors(String code) throws Exception {
        repl.evaluate(code, 1_500);
        assertThat(ReplTestClient.text(repl.evaluate("20 + 22"))).endsWith("=> 42 : int");
    }

    /** INV-002, for what lasts until the session is reset. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "class System {} class String {} class Object {}",
                "new Thread(() -> { while (true) System.out.println(1); }).start();"
            })
    void survivesUntilReset(String code) throws Exception {
        repl.evaluate(code);
        assertThat(ReplTestClient.text(repl.evaluate("20 + 22"))).endsWith("=> 42 : int");
        repl.client.callTool("reset", "{}");
        assertThat(ReplTestClient.text(repl.evaluate("System.out.print(6);"))).isEqualTo("6");
    }

    /** INV-003: definitions persist within the session. */
    @Test
    void definitionsPersistInTheSession() throws Exception {
        repl.evaluate("record City(String name, int people) {}");
        repl.evaluate("var cities = new ArrayList<>(List.of(new City(\"Bern\", 134)));");
        repl.evaluate("cities.add(new City(\"Chur\", 38));");
        assertThat(
                        ReplTestClient.text(
                                repl.evaluate("cities.stream().mapToInt(City::people).sum()")))
                .isEqualTo("=> 172 : int");
    }

    /** INV-004: values, standard output and standard error are distinguishable. */
    @Test
    void distinguishesValuesOutputAndErrors() throws Exception {
        JsonTree result = repl.evaluate("System.err.println(\"e\"); System.out.println(\"o\"); 1");
        assertThat(result.at("structuredContent", "stdout").asText()).isEqualTo("o\n");
        assertThat(result.at("structuredContent", "stderr").asText()).isEqualTo("e\n");
        assertThat(result.at("structuredContent", "value").asText()).isEqualTo("1");
        assertThat(ReplTestClient.text(result)).isEqualTo("[stderr] e\no\n=> 1 : int");
    }

    /** INV-006: the class of an error is reported. */
    @Test
    void reportsTheClassOfAnError() throws Exception {
        JsonTree result = repl.evaluate("Integer.parseInt(\"seven\")");
        assertThat(ReplTestClient.isError(result)).isTrue();
        assertThat(ReplTestClient.text(result))
                .startsWith("[ERROR] java.lang.NumberFormatException: For");
        assertThat(result.at("structuredContent", "error", "class").asText())
                .isEqualTo("java.lang.NumberFormatException");
    }

    @Test
    void cancellationStopsTheEvaluationAndKeepsTheSession() throws Exception {
        repl.evaluate("int before = 3;");
        String params =
                ReplTestClient.evaluateParams("while (true);", "").replaceFirst("\\{", PROGRESS);
        String id = repl.client.sendRequest("tools/call", params);
        var wanted = Optional.of(id);
        JsonTree progress = repl.client.awaitMethod("notifications/progress");
        assertThat(progress.at("params", "progressToken").asText()).isEqualTo("mine");
        repl.client.sendNotification("notifications/cancelled", "{\"requestId\":" + id + "}");
        assertThat(ReplTestClient.text(repl.evaluate("before"))).isEqualTo("=> 3 : int");
        assertThat(
                        repl.client.poll(
                                message -> message.findAt("id").map(JsonTree::write).equals(wanted),
                                Duration.ofMillis(200)))
                .isEmpty();
    }

    @Test
    void servesTheModernEra() throws Exception {
        JsonTree answer =
                repl.client.modernRequest(
                        "tools/call", ReplTestClient.evaluateParams("40 + 2", ""));
        assertThat(ReplTestClient.text(answer.at("result"))).isEqualTo("=> 42 : int");
        assertThat(answer.at("result", "resultType").asText()).isEqualTo("complete");
        List<JsonTree> tools =
                repl.client.modernRequest("tools/list", "{}").at("result", "tools").asList();
        assertThat(tools).hasSize(28);
    }
}

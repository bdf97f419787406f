package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.InputSchema;
import dev.patchbay.schema.ValidationResult;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The tools as clients see them. All tests share one session. */
class ReplServiceTest {
    private static final ReplTestSession REPL = new ReplTestSession();
    private static final ReplService SERVICE =
            ReplService.of(new Implementation("repl", "1"), REPL.session);
    private static final ReplServiceClient CLIENT = new ReplServiceClient(SERVICE);

    private static final List<String> TOOLS =
            List.of(
                    "evaluate",
                    "measure",
                    "run_file",
                    "check",
                    "definitions",
                    "last_error",
                    "describe",
                    "search",
                    "complete",
                    "find_uses",
                    "find_methods",
                    "find_subtypes",
                    "bytecode",
                    "profile",
                    "time_methods",
                    "memory",
                    "threads",
                    "sessions",
                    "saved_sessions",
                    "run_tests",
                    "attach_project",
                    "dependencies",
                    "find_jar",
                    "search_artifacts",
                    "add_to_classpath",
                    "reset",
                    "limits",
                    "guide");

    @TempDir Path folder;

    @AfterAll
    static void end() {
        SERVICE.close();
    }

    private static Json tool(String name) throws InterruptedException {
        return JsonFields.elements(CLIENT.list(), "tools").stream()
                .filter(tool -> JsonFields.text(tool, "name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void listsItsTools() throws Exception {
        var tools = JsonFields.elements(CLIENT.list(), "tools");
        assertThat(tools)
                .extracting(tool -> JsonFields.text(tool, "name"))
                .containsExactlyInAnyOrderElementsOf(TOOLS);
        for (Json tool : tools) {
            assertThat(JsonFields.text(tool, "description")).hasSizeGreaterThan(40);
            assertThat(tool.member("annotations").toString())
                    .contains("readOnlyHint", "destructiveHint", "idempotentHint");
            assertThat(InputSchema.compile(tool.member("inputSchema")))
                    .isInstanceOf(Compiled.class);
            for (Json.Member parameter :
                    tool.member("inputSchema").member("properties").members()) {
                assertThat(JsonFields.text(parameter.value(), "description")).isNotEmpty();
            }
        }
    }

    @Test
    void resultsMatchTheOutputSchemas() throws Exception {
        Path file = Files.writeString(folder.resolve("a.jsh"), "int fromFile = 1;");
        var calls =
                List.of(
                        Map.entry("evaluate", "{\"code\":\"int schemed = 1; schemed\"}"),
                        Map.entry("evaluate", "{\"code\":\"1 / 0\"}"),
                        Map.entry("evaluate", "{\"code\":\"int x = ;\"}"),
                        Map.entry("evaluate", "{\"code\":\"while (true);\",\"timeoutMs\":300}"),
                        Map.entry("measure", "{\"code\":\"2 + 2\",\"runs\":10}"),
                        Map.entry("run_file", "{\"path\":" + Json.string(file.toString()) + "}"),
                        Map.entry("check", "{\"code\":\"int y = z;\"}"),
                        Map.entry("definitions", "{\"source\":true}"),
                        Map.entry("last_error", "{}"),
                        Map.entry("describe", "{\"name\":\"String.length\"}"),
                        Map.entry("search", "{\"pattern\":\"HashMap\",\"limit\":2}"),
                        Map.entry("complete", "{\"code\":\"schem\"}"),
                        Map.entry("find_uses", "{\"name\":\"String.length\"}"),
                        Map.entry("find_methods", "{\"takes\":\"String\"}"),
                        Map.entry("find_subtypes", "{\"name\":\"Number\"}"),
                        Map.entry("bytecode", "{\"name\":\"String.length\"}"),
                        Map.entry("bytecode", "{\"name\":\"String\"}"),
                        Map.entry("profile", "{\"code\":\"1\",\"by\":\"allocation\"}"),
                        Map.entry(
                                "time_methods",
                                "{\"action\":\"start\",\"methods\":[\"String.strip\"]}"),
                        Map.entry("time_methods", "{\"action\":\"stop\"}"),
                        Map.entry("memory", "{\"histogram\":3}"),
                        Map.entry("threads", "{\"all\":true}"),
                        Map.entry("sessions", "{}"),
                        Map.entry("saved_sessions", "{\"action\":\"export\"}"),
                        Map.entry("limits", "{}"));
        for (var call : calls) {
            Json result = CLIENT.call(call.getKey(), call.getValue());
            var schema = (Compiled) InputSchema.compile(tool(call.getKey()).member("outputSchema"));
            assertThat(schema.schema().validate(result.member("structuredContent")))
                    .as(call + " " + result)
                    .isInstanceOf(ValidationResult.Valid.class);
        }
    }

    @Test
    void showsOutputThenStderrThenValue() throws Exception {
        Json result =
                CLIENT.call(
                        "evaluate",
                        "{\"code\":\"System.out.println(1); System.err.println(2); 3 + 4\"}");
        assertThat(ReplServiceClient.text(result)).isEqualTo("1\n[stderr] 2\n=> 7 : int");
        assertThat(result.member("isError").isTrue()).isFalse();
        Json structured = result.member("structuredContent");
        assertThat(structured.memberText("status")).isEqualTo("done");
        assertThat(structured.memberText("value")).isEqualTo("7");
        assertThat(structured.memberText("type")).isEqualTo("int");
        assertThat(structured.memberText("stdout")).isEqualTo("1\n");
        assertThat(structured.memberText("stderr")).isEqualTo("2\n");
    }

    @Test
    void failedEvaluationReportsExceptionClass() throws Exception {
        Json result = CLIENT.call("evaluate", "{\"code\":\"1 / 0\\nint later = 1;\"}");
        assertThat(result.member("isError").isTrue()).isTrue();
        assertThat(ReplServiceClient.text(result))
                .startsWith("[ERROR] java.lang.ArithmeticException: / by zero\n  at snippet ")
                .endsWith("[not run] int later = 1;");
        assertThat(result.member("structuredContent").member("error").memberText("class"))
                .isEqualTo("java.lang.ArithmeticException");
        assertThat(ReplServiceClient.text(CLIENT.call("last_error", "{}")))
                .contains("ArithmeticException");
        Json rejected = CLIENT.call("evaluate", "{\"code\":\"int n = \\\"x\\\";\"}");
        assertThat(rejected.member("isError").isTrue()).isTrue();
        assertThat(ReplServiceClient.text(rejected))
                .startsWith("[ERROR] error at line 1, column 9: incomp");
    }

    @Test
    void reportsProgressWhileRunning() throws Exception {
        CLIENT.notifications.clear();
        String text =
                ReplServiceClient.text(
                        CLIENT.call(
                                "evaluate",
                                "{\"code\":\"System.out.print(42); while (true);\","
                                        + "\"timeoutMs\":2300}"));
        assertThat(text).startsWith("42\n[TIMEOUT] Stopped at the limit of 2300 ms");
        assertThat(CLIENT.notifications).hasSizeGreaterThanOrEqualTo(2);
        long last = 0;
        for (var notification : CLIENT.notifications) {
            assertThat(notification.method()).isEqualTo("notifications/progress");
            assertThat(notification.params().memberText("progressToken")).isEqualTo("p");
            long progress = JsonFields.number(notification.params(), "progress");
            assertThat(progress).isGreaterThan(last);
            last = progress;
        }
    }

    @Test
    void nextCallReportsWhatWasLost() throws Exception {
        CLIENT.evaluate("int lostValue = 5;\nint keptMethod() { return 6; }");
        assertThat(CLIENT.evaluate("System.exit(2);")).startsWith("[SESSION ENDED] ");
        assertThat(CLIENT.evaluate("keptMethod()"))
                .startsWith("[notice] The session's JVM ended with exit status 2")
                .contains("int lostValue")
                .endsWith("=> 6 : int");
        assertThat(CLIENT.evaluate("keptMethod()")).isEqualTo("=> 6 : int");
    }

    @Test
    void showsBackgroundOutput() throws Exception {
        CLIENT.evaluate(
                "Thread.startVirtualThread(() -> System.out.println(\"from afar\")).join();\n"
                        + "var t = new Thread(() -> { while (!Thread.interrupted()); "
                        + "System.out.println(\"behind\"); }); t.start();");
        CLIENT.evaluate("t.interrupt();\nt.join();");
        REPL.session.takeBackgroundOutput();
        CLIENT.evaluate(
                "new Thread(() -> {"
                        + " java.util.concurrent.locks.LockSupport.parkNanos(2_000_000_000L);"
                        + " System.out.println(\"much later\"); }).start();");
        var heard = new StringBuilder();
        ReplTestSession.awaitCondition(
                () -> {
                    try {
                        heard.append(CLIENT.evaluate("int tick;"));
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return heard.toString().contains("much later");
                });
    }

    @Test
    void runsFileWithArguments() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("Hello.java"),
                        """
                        public class Hello {
                            public static void main(String[] args) {
                                System.out.print(String.join("|", args));
                            }
                        }
                        """);
        String path = Json.string(file.toString()).toString();
        Json result =
                CLIENT.call(
                        "run_file",
                        "{\"path\":" + path + ",\"args\":[\"a \\\"b\\\"\",\"c\\\\d\\n\",\"é\"]}");
        assertThat(result.member("structuredContent").memberText("stdout"))
                .isEqualTo("a \"b\"|c\\d\n|é");
        Json quiet = CLIENT.call("run_file", "{\"path\":" + path + ",\"main\":false}");
        assertThat(quiet.member("structuredContent").memberText("stdout")).isEmpty();
        Json absent = CLIENT.call("run_file", "{\"path\":\"/no/such/File.java\"}");
        assertThat(absent.member("isError").isTrue()).isTrue();
        assertThat(ReplServiceClient.text(absent)).startsWith("[ERROR] There is no file");
    }

    @Test
    void setsLimitsWithinTheirBounds() throws Exception {
        String text = ReplServiceClient.text(CLIENT.call("limits", "{\"timeoutMs\":2e4}"));
        assertThat(text)
                .isEqualTo("An evaluation may take 20,000 ms and print 100,000 characters.");
        for (String wrong :
                List.of(
                        "{\"timeoutMs\":0}",
                        "{\"timeoutMs\":-5}",
                        "{\"timeoutMs\":1.5}",
                        "{\"timeoutMs\":\"fast\"}",
                        "{\"outputChars\":1e99}",
                        "{\"outputChars\":true}")) {
            Json result = CLIENT.call("limits", wrong);
            assertThat(result.member("isError").isTrue()).as(wrong).isTrue();
        }
        assertThat(REPL.session.limits().timeout().toMillis()).isEqualTo(20_000);
        CLIENT.call("limits", "{\"timeoutMs\":30000}");
    }

    @Test
    void rejectsInvalidArgumentsAsTheProtocolVersionRequires() throws Exception {
        Json result = CLIENT.call("evaluate", "{\"cod\":\"1\"}");
        assertThat(result.member("isError").isTrue()).isTrue();
        assertThat(ReplServiceClient.text(result))
                .contains("code is missing", "there is no parameter cod");
        assertThatThrownBy(() -> CLIENT.call("evaluate", "{}", ProtocolVersion.V2025_06_18))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> {
                            assertThat(e.error().code()).isEqualTo(-32602);
                            assertThat(e.error().message()).contains("code is missing");
                        });
        assertThatThrownBy(() -> CLIENT.call("no_such_tool", "{}"))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> {
                            assertThat(e.error().code()).isEqualTo(-32602);
                            assertThat(e.error().message()).contains("no_such_tool");
                        });
        assertThat(CLIENT.evaluate("1").startsWith("=> 1")).isTrue();
        Json absent = CLIENT.call("evaluate", "{\"code\":\"1\",\"timeoutMs\":null}");
        assertThat(absent.member("isError").isTrue()).isFalse();
    }

    @Test
    void guideNamesEveryTool() throws Exception {
        String guide = ReplServiceClient.text(CLIENT.call("guide", "{}"));
        for (Json tool : JsonFields.elements(CLIENT.list(), "tools")) {
            String name = JsonFields.text(tool, "name");
            if (!name.equals("guide")) {
                assertThat(guide).contains("`" + name + "`");
            }
        }
    }

    @Test
    void reportsWhatIsNotFound() throws Exception {
        Json result = CLIENT.call("describe", "{\"name\":\"NoSuchThingAnywhere\"}");
        assertThat(result.member("isError").isTrue()).isTrue();
        Json empty = CLIENT.call("search", "{\"pattern\":\"NoSuchThingAnywhere\"}");
        assertThat(empty.member("isError").isTrue()).isFalse();
        assertThat(ReplServiceClient.text(empty)).isEqualTo("No class has such a name.");
        Json beyond = CLIENT.call("complete", "{\"code\":\"a\",\"position\":2}");
        assertThat(beyond.member("isError").isTrue()).isTrue();
    }
}

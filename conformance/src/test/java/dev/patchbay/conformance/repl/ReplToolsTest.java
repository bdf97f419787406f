package dev.patchbay.conformance.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

import javax.tools.ToolProvider;

/** Each tool of the REPL as an agent uses it, against one process that all tests share. */
class ReplToolsTest {
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

    @AfterEach
    void assertOutputCorrect() {
        repl.assertOutputCorrect();
    }

    private static JsonTree call(String tool, String arguments) throws InterruptedException {
        JsonTree result = repl.client.callTool(tool, arguments).at("result");
        assertThat(ReplTestClient.isError(result)).as("%s", result).isFalse();
        return result;
    }

    private static String codeArgument(String code) {
        return "{\"code\":" + StrictJson.quote(code) + "}";
    }

    @Test
    void measuresManyRuns() throws Exception {
        JsonTree result =
                call("measure", "{\"code\":\"IntStream.range(0, 100).sum()\",\"runs\":50}");
        assertThat(ReplTestClient.text(result))
                .startsWith("=> 4950 : int\n[measured] ")
                .contains(" a run (median; ", "50 runs", " bytes allocated a run");
        JsonTree cost = result.at("structuredContent", "cost");
        assertThat(cost.at("runs").asLong()).isEqualTo(50);
        assertThat(cost.at("minNanos").asLong()).isPositive();
    }

    @Test
    void runsAFile() throws Exception {
        Path file = home.resolve("Greeting.java");
        Files.writeString(
                file,
                """
                package some.where;

                public class Greeting {
                    static String of(String name) { return "Grüezi, " + name; }
                    public static void main(String[] args) { System.out.println(of(args[0])); }
                }
                """);
        String path = StrictJson.quote(file.toString());
        JsonTree result = call("run_file", "{\"path\":" + path + ",\"args\":[\"Ürs\"]}");
        assertThat(result.at("structuredContent", "stdout").asText()).isEqualTo("Grüezi, Ürs\n");
        assertThat(ReplTestClient.text(repl.evaluate("Greeting.of(\"again\")")))
                .isEqualTo("=> \"Grüezi, again\" : String");
    }

    @Test
    void checksCode() throws Exception {
        JsonTree wrong = call("check", codeArgument("int x = \"seven\";")).at("structuredContent");
        assertThat(wrong.at("valid")).isEqualTo(JsonTree.Literal.FALSE);
        assertThat(wrong.at("complete")).isEqualTo(JsonTree.Literal.TRUE);
        JsonTree open = call("check", codeArgument("int twice(int n) {")).at("structuredContent");
        assertThat(open.at("complete")).isEqualTo(JsonTree.Literal.FALSE);
        JsonTree right = call("check", codeArgument("int twice(int n) { return 2 * n; }"));
        assertThat(right.at("structuredContent", "valid")).isEqualTo(JsonTree.Literal.TRUE);
        assertThat(ReplTestClient.isError(repl.evaluate("twice(2)")))
                .as("nothing was defined")
                .isTrue();
    }

    @Test
    void listsDefinitions() throws Exception {
        repl.evaluate(
                "sealed interface Shape permits Disc {} record Disc(int r) implements Shape {}");
        repl.evaluate("int answer = 42; int half(int n) { return n / 2; }");
        repl.evaluate("import java.util.regex.Pattern;");
        assertThat(ReplTestClient.text(call("definitions", "{}")))
                .contains("Shape", "Disc", "answer = 42", "half", "java.util.regex.Pattern");
        assertThat(ReplTestClient.text(call("definitions", "{\"name\":\"half\",\"source\":true}")))
                .contains("int half(int n) { return n / 2; }")
                .doesNotContain("answer");
    }

    @Test
    void showsTheLastErrorWithItsCause() throws Exception {
        String thrown =
                "try { Integer.parseInt(\"x\"); } catch (NumberFormatException e) {"
                        + " throw new IllegalStateException(\"outer\", e); }";
        assertThat(ReplTestClient.text(repl.evaluate(thrown)))
                .startsWith("[ERROR] java.lang.IllegalStateException: outer");
        JsonTree shown = call("last_error", "{}");
        assertThat(ReplTestClient.text(shown))
                .contains("java.lang.IllegalStateException: outer")
                .contains("java.lang.NumberFormatException: For input string: \"x\"");
        assertThat(shown.at("structuredContent", "error", "cause", "class").asText())
                .isEqualTo("java.lang.NumberFormatException");
    }

    @Test
    void describesAMethod() throws Exception {
        JsonTree result = call("describe", "{\"name\":\"String.format\"}");
        assertThat(ReplTestClient.text(result))
                .contains("static String format(String format, Object... args)")
                .contains("format(Locale l, String format, Object... args)");
    }

    @Test
    void searchesClasses() throws Exception {
        assertThat(ReplTestClient.text(call("search", "{\"pattern\":\"ConcurrentHash\"}")))
                .contains("java.util.concurrent.ConcurrentHashMap");
        assertThat(ReplTestClient.text(call("search", "{\"pattern\":\"no.such.Class\"}")))
                .isEqualTo("No class has such a name.");
    }

    @Test
    void completesCode() throws Exception {
        assertThat(ReplTestClient.text(call("complete", codeArgument("\"abc\".toUpper"))))
                .contains("toUpperCase");
        JsonTree inside = call("complete", "{\"code\":\"Math.ma (1, 2)\",\"position\":7}");
        assertThat(ReplTestClient.text(inside)).contains("max");
    }

    @Test
    void addsAJarAndAFolder() throws Exception {
        Path classes =
                compileClass(
                        "Lamp",
                        "package lab; public class Lamp { public int watts() { return 7; } }");
        Path jar = home.resolve("lamps.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("lab/Lamp.class"));
            out.write(Files.readAllBytes(classes.resolve("lab/Lamp.class")));
        }
        repl.evaluate("int kept = 5;");
        for (Path entry : List.of(jar, compileClass("Bulb", "package lab; public class Bulb {}"))) {
            call("add_to_classpath", "{\"entry\":" + StrictJson.quote(entry + "") + "}");
        }
        assertThat(ReplTestClient.text(repl.evaluate("new lab.Lamp().watts() + kept")))
                .isEqualTo("=> 12 : int");
        assertThat(ReplTestClient.text(repl.evaluate("new lab.Bulb() != null")))
                .isEqualTo("=> true : boolean");
    }

    private static Path compileClass(String name, String text) throws IOException {
        Path folder = Files.createTempDirectory(home, name);
        Path source = Files.writeString(folder.resolve(name + ".java"), text);
        OutputStream quiet = OutputStream.nullOutputStream();
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, quiet, quiet, "-d", folder.toString(), source.toString());
        assertThat(status).isZero();
        return folder;
    }

    @Test
    void enforcesConfiguredLimits() throws Exception {
        assertThat(ReplTestClient.text(call("limits", "{\"timeoutMs\":3000,\"outputChars\":1000}")))
                .isEqualTo("An evaluation may take 3,000 ms and print 1,000 characters.");
        String loop =
                ReplTestClient.text(repl.evaluate("System.out.print(\"so far\"); while (true);"));
        assertThat(loop).startsWith("so far\n[TIMEOUT]");
        assertThat(ReplTestClient.text(repl.evaluate("System.out.print(\"x\".repeat(1500));")))
                .contains("[truncated] 500 more characters printed");
        call("limits", "{\"timeoutMs\":30000,\"outputChars\":100000}");
    }

    @Test
    void resetsTheSession() throws Exception {
        repl.evaluate("int gone = 1;");
        assertThat(ReplTestClient.text(call("reset", "{}"))).contains("nothing is defined");
        assertThat(ReplTestClient.text(repl.evaluate("gone")))
                .startsWith("[ERROR] ")
                .contains("gone");
    }
}

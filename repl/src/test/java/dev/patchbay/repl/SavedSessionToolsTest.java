package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import javax.tools.ToolProvider;

/** Sessions that are saved, restored and exported. */
class SavedSessionToolsTest {
    private static final ReplTestSession REPL = new ReplTestSession();

    @TempDir private static Path folder;

    private static ReplServiceClient client;

    @BeforeAll
    static void define() throws Exception {
        var environment =
                ReplEnvironment.of(
                        Map.of("PATCHBAY_REPL_SESSIONS", folder.resolve("saved").toString()),
                        folder);
        client =
                new ReplServiceClient(
                        ReplService.of(new Implementation("repl", "1"), REPL.session, environment));
    }

    @AfterAll
    static void end() {
        client.service().close();
    }

    private static final String DEFINITIONS =
            """
            import java.util.concurrent.atomic.AtomicInteger
            record Point(int x, int y) { int sum() { return x + y; } }
            int twice(int n) { return 2 * n; }
            var points = List.of(new Point(1, 2), new Point(3, 4));
            final var counter = new AtomicInteger(5);
            int plain;
            twice(points.get(1).sum())
            """;

    private static String call(String arguments) throws Exception {
        return ReplServiceClient.text(client.call("saved_sessions", arguments));
    }

    private static void redefine() throws Exception {
        REPL.session.reset();
        assertThat(REPL.value(DEFINITIONS)).isEqualTo("14");
    }

    @Test
    void restoresDefinitionsAndIfAskedForValues() throws Exception {
        redefine();
        assertThat(call("{\"action\":\"save\",\"name\":\"one\"}"))
                .isEqualTo("Saved 6 definitions as one.");
        REPL.session.reset();
        assertThat(REPL.run("twice(1)").status()).isEqualTo(EvaluationResult.Status.FAILED);
        assertThat(call("{\"action\":\"restore\",\"name\":\"one\"}"))
                .startsWith("Restored 6 definitions. Variables have no values");
        assertThat(REPL.value("twice(21)")).isEqualTo("42");
        assertThat(REPL.value("points")).isEqualTo("null");
        call("{\"action\":\"restore\",\"name\":\"one\",\"values\":true}");
        assertThat(REPL.value("points.get(1).sum() + counter.get()")).isEqualTo("12");
        assertThat(call("{}")).isEqualTo("Saved: one");
        assertThat(call("{\"action\":\"delete\",\"name\":\"one\"}")).isEqualTo("Deleted one.");
        assertThat(call("{\"action\":\"restore\",\"name\":\"one\"}"))
                .startsWith("[ERROR] There is no saved session one.");
        assertThat(call("{\"action\":\"save\",\"name\":\"../one\"}")).startsWith("[ERROR] A name");
    }

    @Test
    void exportsAScriptThatRunsAnywhere() throws Exception {
        redefine();
        Path file = folder.resolve("session.jsh");
        String path = Json.string(file.toString()).toString();
        assertThat(call("{\"action\":\"export\",\"path\":" + path + "}")).startsWith("Exported to");
        assertThat(call("{\"action\":\"export\",\"path\":" + path + "}"))
                .contains("exists already: choose another name");
        REPL.session.reset();
        Json run = client.call("run_file", "{\"path\":" + path + "}");
        assertThat(run.member("isError").isTrue()).as(run.toString()).isFalse();
        assertThat(REPL.value("twice(points.get(1).sum()) + counter.get()")).isEqualTo("19");
    }

    @Test
    void exportsAJavaFileThatCompiles() throws Exception {
        redefine();
        Path file = folder.resolve("Exported.java");
        call("{\"action\":\"export\",\"path\":" + Json.string(file.toString()) + "}");
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", folder.toString(), file.toString());
        assertThat(status).as(Files.readString(file)).isZero();
        Json shown = client.call("saved_sessions", "{\"action\":\"export\",\"format\":\"java\"}");
        assertThat(ReplServiceClient.text(shown)).contains("void main() {}", "List<Point> points");
        assertThat(JsonFields.elements(shown, "content")).hasSize(2);
    }
}

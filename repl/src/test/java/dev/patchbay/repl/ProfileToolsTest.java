package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

import java.io.StringReader;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

/** The tools that tell where time and memory go, over one session. */
class ProfileToolsTest {
    /** In the long form as often as the promise says. */
    private static final int PROFILES = Boolean.getBoolean("patchbay.long") ? 20 : 2;

    private static final ReplTestSession REPL = new ReplTestSession();
    private static final ReplService SERVICE =
            ReplService.of(new Implementation("repl", "1"), REPL.session);
    private static final ReplServiceClient CLIENT = new ReplServiceClient(SERVICE);

    @BeforeAll
    static void define() throws Exception {
        REPL.value(
                """
                long hot(int rounds) {
                    long state = 1;
                    for (long i = 0; i < rounds * 1_000_000L; i++) {
                        state = state * 6364136223846793005L + (state >>> 7) + i;
                    }
                    return state;
                }
                long cold(int n) { return n <= 0 ? 1 : n + cold(n - 1); }
                long work() { return cold(50) + hot(400) + cold(20); }
                int fill() {
                    int sum = 0;
                    for (int i = 0; i < 2_000; i++) sum += new byte[50_000 + i].length;
                    return sum;
                }
                void rest() throws Exception { TimeUnit.MILLISECONDS.sleep(400); }
                cold(3)
                """);
    }

    @AfterAll
    static void end() {
        SERVICE.close();
    }

    private static Json call(String tool, String arguments) throws Exception {
        Json result = CLIENT.call(tool, arguments);
        assertThat(result.member("isError").isTrue()).as(result.toString()).isFalse();
        return result;
    }

    private static List<String> methods(Json result) {
        return JsonFields.elements(result.member("structuredContent"), "methods").stream()
                .map(it -> JsonFields.text(it, "method"))
                .toList();
    }

    @Test
    void namesTheHotMethodFirst() throws Exception {
        for (int i = 0; i < PROFILES; i++) {
            Json result = call("profile", "{\"code\":\"work()\"}");
            assertThat(methods(result)).as("profile %d: %s", i, result).startsWith("hot");
            assertThat(ReplServiceClient.text(result))
                    .startsWith("[profile] by cpu: ")
                    .contains("Call tree:", "work", "=> ");
            Json tree = result.member("structuredContent").member("tree");
            assertThat(tree.toString()).contains("\"work\"", "\"hot\"");
        }
    }

    @Test
    void flameGraphIsASvgResource() throws Exception {
        Json result = call("profile", "{\"code\":\"work()\"}");
        String uri = result.member("structuredContent").memberText("flameGraph");
        Json link = JsonFields.elements(result, "content").get(1);
        assertThat(link.memberText("type")).isEqualTo("resource_link");
        assertThat(link.memberText("uri")).isEqualTo(uri);
        Json read = CLIENT.request(McpMethod.RESOURCES_READ, "{\"uri\":\"" + uri + "\"}");
        Json content = JsonFields.elements(read, "contents").getFirst();
        assertThat(content.memberText("mimeType")).isEqualTo("image/svg+xml");
        var picture =
                DocumentBuilderFactory.newDefaultInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(content.memberText("text"))));
        assertThat(picture.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(content.memberText("text")).contains("hot: ", "work: ");
    }

    @Test
    void allocationProfileNamesSiteAndClass() throws Exception {
        Json result = call("profile", "{\"code\":\"fill()\",\"by\":\"allocation\"}");
        assertThat(methods(result)).startsWith("fill");
        Json structured = result.member("structuredContent");
        assertThat(structured.memberText("unit")).isEqualTo("bytes");
        Json first = JsonFields.elements(structured, "classes").getFirst();
        assertThat(first.memberText("class")).isEqualTo("byte[]");
        assertThat(JsonFields.number(first, "bytes")).isGreaterThan(10_000_000);
    }

    @Test
    void wallProfileShowsWaiting() throws Exception {
        Json result = call("profile", "{\"code\":\"rest()\",\"by\":\"wall\"}");
        Json structured = result.member("structuredContent");
        assertThat(JsonFields.number(structured, "total")).isGreaterThanOrEqualTo(350);
        assertThat(methods(result))
                .containsSubsequence("java.util.concurrent.TimeUnit.sleep", "rest");
    }

    @Test
    void stoppedEvaluationHasNoProfile() throws Exception {
        Json result = CLIENT.call("profile", "{\"code\":\"while (true);\",\"timeoutMs\":1500}");
        assertThat(result.member("isError").isTrue()).isTrue();
        assertThat(ReplServiceClient.text(result)).contains("[TIMEOUT]", "[profile] None");
        assertThat(REPL.value("cold(2)")).isEqualTo("4");
    }

    @Test
    void timesNamedMethods() throws Exception {
        String start = "{\"action\":\"start\",\"methods\":[\"cold\",\"String.repeat\"]}";
        assertThat(ReplServiceClient.text(call("time_methods", start))).startsWith("Timing ");
        REPL.value("cold(9) + \"a\".repeat(3).length() + \"b\".repeat(4).length()");
        Json result = call("time_methods", "{\"action\":\"stop\"}");
        List<Json> methods = JsonFields.elements(result.member("structuredContent"), "methods");
        Json cold =
                methods.stream()
                        .filter(it -> JsonFields.text(it, "method").equals("cold"))
                        .findFirst()
                        .orElseThrow();
        assertThat(JsonFields.number(cold, "calls")).isEqualTo(10);
        assertThat(JsonFields.number(cold, "maxNanos"))
                .isGreaterThanOrEqualTo(JsonFields.number(cold, "minNanos"))
                .isPositive();
        assertThat(methods(result)).contains("java.lang.String.repeat");
        Json again = CLIENT.call("time_methods", "{\"action\":\"stop\"}");
        assertThat(ReplServiceClient.text(again))
                .isEqualTo("[ERROR] No methods are being timed. Use action start first.");
    }
}

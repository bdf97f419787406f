package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands that show and use what servers offer besides tool calls. */
class ExploreCommandsTest {
    private static final String TOOLS =
            """
            [{"name": "search", "x-behaviour": "echo", "title": "Search",
              "description": "Finds files.\\nSlowly.",
              "annotations": {"readOnlyHint": true, "destructiveHint": false},
              "outputSchema": {"type": "object", "properties": {"hits": {"type": "integer"}}},
              "inputSchema": {"type": "object", "required": ["query", "limit"], "properties": {
                "query": {"type": "string", "minLength": 3, "description": "What to find."},
                "limit": {"type": "integer", "minimum": 5},
                "where": {"type": "object", "properties": {"folder": {"type": "string"}}}}}},
             {"name": "delete", "x-behaviour": "echo", "description": "Removes a file.",
              "inputSchema": {"type": "object"}}]
            """;

    @TempDir private static Path folder;

    private static TestInstallation installation;

    @BeforeAll
    static void configure() {
        installation = new TestInstallation(folder);
        installation.withServer(
                installation
                        .script("a")
                        .withToolDefinitions(TOOLS)
                        .withOption("resources", "test://a/1,test://a/2")
                        .withOption("templates", "test://a/{x}")
                        .withOption("prompts", "greet"));
        installation.withServer("noted", noteStart());
        installation.save();
    }

    /** A server that notes its start and exits. */
    private static String noteStart() {
        String script = "echo start >> '" + folder.resolve("starts") + "'; exit 3";
        return "{\"command\": \"sh\", \"args\": [\"-c\", \"%s\"], \"maxRetries\": 0}"
                .formatted(script);
    }

    private static String printed(String... words) throws Exception {
        CommandResult result = installation.run(words);
        assertThat(result.status()).as(result.err()).isZero();
        return result.out();
    }

    private static JsonTree json(String... words) throws Exception {
        var all = new ArrayList<>(List.of(words));
        all.add("--json");
        return StrictJson.parse(printed(all.toArray(String[]::new)).strip());
    }

    @Test
    void describeShowsArgumentsAndAnExampleThatWorks() throws Exception {
        String text = printed("describe", "a.search");
        assertThat(text)
                .contains("a.search  Search", "Finds files.\nSlowly.")
                .containsPattern("query +string +yes +What to find. \\(characters at least 3\\)")
                .containsPattern("where.folder +string +no")
                .containsPattern("(?m)^hits +integer")
                .contains("The server says: changes nothing.");
        String example = text.substring(text.indexOf("Example: patchbay ")).strip();
        String[] words = example.substring("Example: patchbay ".length()).split(" ", -1);
        assertThat(installation.run(words).status()).as(example).isZero();
        JsonTree described = json("describe", "a.search");
        assertThat(described.at("fullName").asText()).isEqualTo("a.search");
        assertThat(described.at("example").write())
                .isEqualTo("{\"query\":\"example\",\"limit\":5}");
    }

    @Test
    void toolsAreFilteredByServerAndWords() throws Exception {
        assertThat(printed("tools", "--server", "a")).contains("a.search", "a.delete");
        assertThat(printed("tools", "--server", "a", "--find", "remove nothing"))
                .contains("a.delete")
                .doesNotContain("a.search");
        JsonTree found = json("tools", "--server", "a", "--find", "file search");
        assertThat(found.at(0, "fullName").asText()).isEqualTo("a.search");
    }

    @Test
    void resourcesAreListedAndRead() throws Exception {
        assertThat(printed("resources", "--server", "a"))
                .contains("test://a/1", "test://a/{x}", "text/plain");
        JsonTree second = json("resources", "--server", "a", "*/2").at(0);
        assertThat(second.at("uri").asText()).isEqualTo("test://a/2");
        assertThat(second.at("serverId").asText()).isEqualTo("a");
        assertThat(printed("read", "test://a/1", "--server", "a"))
                .isEqualTo("content of test://a/1\n");
        assertThat(json("read", "patchbay+a:test://a/1").at("contents", 0, "text").asText())
                .isEqualTo("content of test://a/1");
        Path file = folder.resolve("one.txt");
        printed("read", "--server", "a", "test://a/1", "--output", file.toString());
        assertThat(file).hasContent("content of test://a/1");
    }

    @Test
    void promptsAreListedFilledInAndCompleted() throws Exception {
        assertThat(printed("prompts", "--server", "a")).containsPattern("a.greet +\\[topic]");
        assertThat(json("prompts", "--server", "a").at(0, "promptName").asText())
                .isEqualTo("greet");
        assertThat(printed("prompt", "a.greet", "topic=a=b c"))
                .isEqualTo("user:\ngreet {\"topic\":\"a=b c\"}\n");
        assertThat(json("prompt", "a.greet").at("messages", 0, "role").asText()).isEqualTo("user");
        assertThat(printed("complete", "a.greet", "topic=o", "other=1")).isEqualTo("one\ntwo\n");
        assertThat(json("complete", "patchbay+a:test://a/{x}", "x=").at("values").write())
                .isEqualTo("[\"one\",\"two\"]");
    }

    @Test
    void onlyTheServerThatIsNeededIsStarted() throws Exception {
        Files.deleteIfExists(folder.resolve("starts"));
        printed("describe", "a.delete");
        printed("tools", "--server", "a");
        printed("prompt", "a.greet");
        printed("read", "patchbay+a:test://a/2");
        assertThat(folder.resolve("starts")).doesNotExist();
    }

    @Test
    void unknownNamesGetSuggestionsAndExitCodeOne() throws Exception {
        assertFails("Did you mean a.search?", "describe", "a.serach");
        assertFails("List them: patchbay tools", "describe", "a.nothing-like-it");
        assertFails("Did you mean test://a/1?", "read", "--server", "a", "test://a/11");
        assertFails("Did you mean a.greet?", "prompt", "a.gret");
        assertFails("Did you mean noted?", "prompts", "--server", "notde");
        assertFails("exited with code 3", "describe", "noted.x");
        CommandResult json = installation.run("prompt", "a.gret", "--json");
        assertThat(json.status()).isEqualTo(1);
        assertThat(StrictJson.parse(json.out()).at("error", "reason").asText())
                .isEqualTo("PROMPT_NOT_FOUND");
        assertThat(installation.run("prompt", "a.greet", "no-pair").status()).isEqualTo(2);
    }

    private static void assertFails(String message, String... words) throws Exception {
        CommandResult result = installation.run(words);
        assertThat(result.status()).as(result.err()).isEqualTo(1);
        assertThat(result.err()).contains(message);
        assertThat(result.out()).isEmpty();
    }

    /** A client calls any tool through one tool, with the checks of a direct call. */
    @Test
    void invokeToolCallsAnyToolOfTheCatalog() throws Exception {
        installation.settings("\"invokeTool\": true").save();
        CommandResult called =
                installation.run(
                        "call",
                        "patchbay.invoke",
                        "--args",
                        "{\"name\":\"a.search\",\"arguments\":{\"query\":\"abc\",\"limit\":7}}",
                        "--json");
        assertThat(called.status()).as(called.out()).isZero();
        JsonTree result = StrictJson.parse(called.out());
        assertThat(result.at("toolName").asText()).isEqualTo("a.search");
        assertThat(result.at("structuredContent", "limit").write()).isEqualTo("7");
        CommandResult refused =
                installation.run("call", "patchbay.invoke", "name=a.search", "--json");
        assertThat(StrictJson.parse(refused.out()).at("error", "reason").asText())
                .isEqualTo("INVALID_ARGUMENTS");
    }
}

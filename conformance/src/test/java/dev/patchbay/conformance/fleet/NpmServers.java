package dev.patchbay.conformance.fleet;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Ten servers from npm that need neither a network nor an account, of three protocol versions and
 * both eras, with a call to each whose result is known. One prints a line that is not a message,
 * one changes its tools during the handshake, one has no database, and one uses a web service that
 * the test replaces.
 */
final class NpmServers {
    private static final String OFFICIAL_PREFIX = "@modelcontextprotocol/server-";

    private final NpmPackages packages;
    private final Path dataFolder;
    private final String libraries;

    /**
     * The fleet of these parts.
     *
     * @param data a folder for its files
     * @param libraries the address of the web service
     */
    NpmServers(NpmPackages parts, Path data, String libraries) throws IOException {
        this.packages = parts;
        this.dataFolder = data;
        this.libraries = libraries;
        Files.writeString(data.resolve("note.txt"), "what the file says");
        Files.writeString(data.resolve("unused.js"), "var unused = 1\n");
        Files.writeString(
                data.resolve("eslint.config.mjs"),
                "export default [{rules: {\"no-unused-vars\": \"error\"}}];\n");
    }

    /** A server: its command, further members of its entry, and an expected call. */
    record NpmServer(List<String> command, String entryMembers, ExpectedCall call) {
        String configEntry() {
            return NpmPackages.configEntry(command, entryMembers);
        }
    }

    /** A call of a tool by its own name, and a part of the expected text. */
    record ExpectedCall(String tool, String arguments, String expectedText) {
        /** All text of a response, a result or an error. */
        static String textOf(JsonTree message) {
            return message.findAt("error", "message")
                    .map(JsonTree::asText)
                    .orElseGet(
                            () ->
                                    message.at("result", "content").asList().stream()
                                            .map(content -> content.at("text").asText())
                                            .collect(Collectors.joining("\n")));
        }
    }

    /** All servers by their ids. */
    Map<String, NpmServer> servers() {
        return Map.of(
                "clock", clock(),
                "eslint", eslint(),
                "everything", everything(),
                "filesystem", filesystem(),
                "git", git(),
                "libraries", libraries(),
                "memory", memory(),
                "postgres", postgres(),
                "runner", runner(),
                "thinking", thinking());
    }

    private NpmServer clock() {
        var call = new ExpectedCall("get-time", "{}", "Z");
        return new NpmServer(
                packages.nodeCommand(OFFICIAL_PREFIX + "basic-react/dist/index.js", "--stdio"),
                "",
                call);
    }

    private NpmServer eslint() {
        String file = StrictJson.quote(dataFolder.resolve("unused.js").toString());
        var call = new ExpectedCall("lint-files", "{\"filePaths\": [" + file + "]}", "never used");
        return new NpmServer(
                packages.nodeCommand("@eslint/mcp/src/mcp-cli.js"), workingDirectoryMember(), call);
    }

    private NpmServer everything() {
        var call =
                new ExpectedCall("get-sum", "{\"a\": 2, \"b\": 40}", "The sum of 2 and 40 is 42.");
        return new NpmServer(
                packages.nodeCommand(OFFICIAL_PREFIX + "everything/dist/index.js", "stdio"),
                "",
                call);
    }

    private NpmServer filesystem() {
        String file = StrictJson.quote(dataFolder.resolve("note.txt").toString());
        var call =
                new ExpectedCall(
                        "read_text_file", "{\"path\": " + file + "}", "what the file says");
        return new NpmServer(
                packages.nodeCommand(
                        OFFICIAL_PREFIX + "filesystem/dist/index.js", dataFolder.toString()),
                "",
                call);
    }

    private NpmServer git() {
        String folder = StrictJson.quote(dataFolder.resolve("repository").toString());
        var call = new ExpectedCall("git_init", "{\"path\": " + folder + "}", "\"success\": true");
        return new NpmServer(
                packages.nodeCommand("@cyanheads/git-mcp-server/dist/index.js"),
                workingDirectoryMember(),
                call);
    }

    /**
     * It supports both eras. On a busy machine it may start too slowly to be detected as modern.
     */
    private NpmServer libraries() {
        var call =
                new ExpectedCall(
                        "resolve-library-id",
                        "{\"query\": \"how\", \"libraryName\": \"patch\"}",
                        "/acme/patch");
        return new NpmServer(
                packages.nodeCommand("@upstash/context7-mcp/dist/index.js"),
                "\"era\": \"modern\", \"env\": {\"CONTEXT7_API_URL\": %s}"
                        .formatted(StrictJson.quote(libraries)),
                call);
    }

    private NpmServer memory() {
        String file = StrictJson.quote(dataFolder.resolve("memory.jsonl").toString());
        var call =
                new ExpectedCall(
                        "create_entities",
                        "{\"entities\": [{\"name\": \"moon\", \"entityType\": \"body\","
                                + " \"observations\": [\"round\"]}]}",
                        "moon");
        return new NpmServer(
                packages.nodeCommand(OFFICIAL_PREFIX + "memory/dist/index.js"),
                "\"env\": {\"MEMORY_FILE_PATH\": " + file + "}",
                call);
    }

    /** There is no database; the server's error must arrive. */
    private NpmServer postgres() {
        return new NpmServer(
                packages.nodeCommand(
                        OFFICIAL_PREFIX + "postgres/dist/index.js", "postgresql://127.0.0.1:9/x"),
                "",
                new ExpectedCall("query", "{\"sql\": \"SELECT 1\"}", "ECONNREFUSED"));
    }

    private NpmServer runner() {
        String arguments = "{\"languageId\": \"javascript\", \"code\": \"console.log(6 * 7)\"}";
        return new NpmServer(
                packages.nodeCommand("mcp-server-code-runner/dist/cli.js"),
                "",
                new ExpectedCall("run-code", arguments, "42"));
    }

    private NpmServer thinking() {
        String arguments =
                "{\"thought\": \"on\", \"nextThoughtNeeded\": false, \"thoughtNumber\": 1,"
                        + " \"totalThoughts\": 1}";
        return new NpmServer(
                packages.nodeCommand(OFFICIAL_PREFIX + "sequential-thinking/dist/index.js"),
                "",
                new ExpectedCall("sequentialthinking", arguments, "\"thoughtHistoryLength\": 1"));
    }

    private String workingDirectoryMember() {
        return "\"cwd\": " + StrictJson.quote(dataFolder.toString());
    }
}

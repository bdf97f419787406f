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
 * Ten servers of the npm registry that work without a network and without an account, of three
 * protocol versions and both eras, and a call to each whose answer is known. One of them prints a
 * line that is no message, one changes its list of tools when it is greeted, one cannot reach what
 * it serves, and one asks a web service, in whose place the test puts its own.
 */
final class Fleet {
    private static final String OFFICIAL = "@modelcontextprotocol/server-";

    private final Parts parts;
    private final Path data;
    private final String libraries;

    /**
     * The fleet of these parts.
     *
     * @param data a folder for its files
     * @param libraries the address of the web service
     */
    Fleet(Parts parts, Path data, String libraries) throws IOException {
        this.parts = parts;
        this.data = data;
        this.libraries = libraries;
        Files.writeString(data.resolve("note.txt"), "what the file says");
        Files.writeString(data.resolve("unused.js"), "var unused = 1\n");
        Files.writeString(
                data.resolve("eslint.config.mjs"),
                "export default [{rules: {\"no-unused-vars\": \"error\"}}];\n");
    }

    /**
     * A server: what starts it and what its entry has besides, and a call with what its answer has
     * in it.
     */
    record Ship(List<String> command, String members, Call call) {
        String entry() {
            return Parts.entry(command, members);
        }
    }

    /** A call of a tool by the name that its server gives it, and what is in the answer. */
    record Call(String tool, String arguments, String answer) {
        /** All text of an answer, be it a result or an error. */
        static String text(JsonTree message) {
            return message.find("error", "message")
                    .map(JsonTree::text)
                    .orElseGet(
                            () ->
                                    message.at("result", "content").list().stream()
                                            .map(content -> content.at("text").text())
                                            .collect(Collectors.joining("\n")));
        }
    }

    /** All servers by their ids. */
    Map<String, Ship> ships() {
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

    private Ship clock() {
        var call = new Call("get-time", "{}", "Z");
        return new Ship(parts.command(OFFICIAL + "basic-react/dist/index.js", "--stdio"), "", call);
    }

    private Ship eslint() {
        String file = StrictJson.quote(data.resolve("unused.js").toString());
        var call = new Call("lint-files", "{\"filePaths\": [" + file + "]}", "never used");
        return new Ship(parts.command("@eslint/mcp/src/mcp-cli.js"), inData(), call);
    }

    private Ship everything() {
        var call = new Call("get-sum", "{\"a\": 2, \"b\": 40}", "The sum of 2 and 40 is 42.");
        return new Ship(parts.command(OFFICIAL + "everything/dist/index.js", "stdio"), "", call);
    }

    private Ship filesystem() {
        String file = StrictJson.quote(data.resolve("note.txt").toString());
        var call = new Call("read_text_file", "{\"path\": " + file + "}", "what the file says");
        return new Ship(
                parts.command(OFFICIAL + "filesystem/dist/index.js", data.toString()), "", call);
    }

    private Ship git() {
        String folder = StrictJson.quote(data.resolve("repository").toString());
        var call = new Call("git_init", "{\"path\": " + folder + "}", "\"success\": true");
        return new Ship(parts.command("@cyanheads/git-mcp-server/dist/index.js"), inData(), call);
    }

    /** It speaks both eras. On a busy machine it may start too slowly to be found to be modern. */
    private Ship libraries() {
        var call =
                new Call(
                        "resolve-library-id",
                        "{\"query\": \"how\", \"libraryName\": \"patch\"}",
                        "/acme/patch");
        return new Ship(
                parts.command("@upstash/context7-mcp/dist/index.js"),
                "\"era\": \"modern\", \"env\": {\"CONTEXT7_API_URL\": %s}"
                        .formatted(StrictJson.quote(libraries)),
                call);
    }

    private Ship memory() {
        String file = StrictJson.quote(data.resolve("memory.jsonl").toString());
        var call =
                new Call(
                        "create_entities",
                        "{\"entities\": [{\"name\": \"moon\", \"entityType\": \"body\","
                                + " \"observations\": [\"round\"]}]}",
                        "moon");
        return new Ship(
                parts.command(OFFICIAL + "memory/dist/index.js"),
                "\"env\": {\"MEMORY_FILE_PATH\": " + file + "}",
                call);
    }

    /** There is no database, and the server says so: what it says must arrive. */
    private Ship postgres() {
        return new Ship(
                parts.command(OFFICIAL + "postgres/dist/index.js", "postgresql://127.0.0.1:9/x"),
                "",
                new Call("query", "{\"sql\": \"SELECT 1\"}", "ECONNREFUSED"));
    }

    private Ship runner() {
        String arguments = "{\"languageId\": \"javascript\", \"code\": \"console.log(6 * 7)\"}";
        return new Ship(
                parts.command("mcp-server-code-runner/dist/cli.js"),
                "",
                new Call("run-code", arguments, "42"));
    }

    private Ship thinking() {
        String arguments =
                "{\"thought\": \"on\", \"nextThoughtNeeded\": false, \"thoughtNumber\": 1,"
                        + " \"totalThoughts\": 1}";
        return new Ship(
                parts.command(OFFICIAL + "sequential-thinking/dist/index.js"),
                "",
                new Call("sequentialthinking", arguments, "\"thoughtHistoryLength\": 1"));
    }

    private String inData() {
        return "\"cwd\": " + StrictJson.quote(data.toString());
    }
}

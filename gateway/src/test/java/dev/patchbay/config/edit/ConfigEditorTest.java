package dev.patchbay.config.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Finding;
import dev.patchbay.config.edit.EditResult.Changed;
import dev.patchbay.config.edit.EditResult.Refusal;
import dev.patchbay.config.edit.EditResult.Refused;
import dev.patchbay.config.edit.EditResult.Unchanged;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** Editing changes what it should and no other byte. */
class ConfigEditorTest {
    private static final String TEAM =
            """
            // The servers of the team.
            {
                "mcpServers": {
                    "a": { "command": "x" }, // the first

                    /* the second */
                    "my_b": {
                        "command": "y",
                        "args": []
                    }   // the end
                },
                "patchbay": {"names": "safe"}
            }
            """;

    @TempDir Path folder;
    private Path file;
    private ConfigEditor editor;

    @BeforeEach
    void chooseFile() {
        file = folder.resolve("patchbay.json");
        editor = new ConfigEditor(file);
    }

    @Test
    void addsEntryAfterLastServer() throws IOException {
        write(TEAM);
        var entry = ConfigEntry.stdio("c", List.of("npx", "-y", "größe"), Map.of("K", "${K}"));
        assertThat(editor.add(entry)).isInstanceOf(Changed.class);
        assertThat(file)
                .hasContent(
                        TEAM.replace(
                                "        }   // the end\n",
                                """
                                        },   // the end
                                        "c": {
                                            "command": "npx",
                                            "args": ["-y", "größe"],
                                            "env": {
                                                "K": "${K}"
                                            }
                                        }
                                """));
    }

    @Test
    void createsFileForFirstServer() throws IOException {
        file = folder.resolve("not/there/yet/patchbay.json");
        editor = new ConfigEditor(file);
        assertThat(editor.add(ConfigEntry.http("docs", "https://example.com/mcp", Map.of())))
                .isEqualTo(new Changed(file, true, List.of()));
        assertThat(Files.readString(file))
                .isEqualTo(
                        """
                        {
                          "mcpServers": {
                            "docs": {
                              "type": "http",
                              "url": "https://example.com/mcp"
                            }
                          }
                        }
                        """);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void keepsSingleLineFileOnOneLine() throws IOException {
        write("{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
        editor.add(ConfigEntry.stdio("b", List.of("y"), Map.of()));
        editor.disable("a");
        assertThat(Files.readString(file))
                .isEqualTo(
                        "{\"mcpServers\":{\"a\":{\"command\":\"x\", \"enabled\": false},"
                                + " \"b\": {\"command\": \"y\"}}}");
        editor.remove("a");
        assertThat(Files.readString(file))
                .isEqualTo("{\"mcpServers\":{\"b\": {\"command\": \"y\"}}}");
    }

    @Test
    void keepsTabsAndCarriageReturns() throws IOException {
        write("\uFEFF{\r\n\t\"mcpServers\": {}\r\n}");
        editor.add(ConfigEntry.stdio("b", List.of("y"), Map.of()));
        assertThat(Files.readString(file))
                .isEqualTo(
                        "\uFEFF{\r\n\t\"mcpServers\": {\r\n\t\t\"b\": {\r\n\t\t\t\"command\":"
                                + " \"y\"\r\n\t\t}\r\n\t}\r\n}");
    }

    @Test
    void keepsTrailingComma() throws IOException {
        write("{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"},\n  },\n}\n");
        editor.add(ConfigEntry.stdio("b", List.of("y"), Map.of()));
        assertThat(Files.readString(file)).contains("\"command\": \"y\"\n    },\n  },\n}\n");
    }

    @Test
    void removesLastServerWithPrecedingComma() throws IOException {
        write(TEAM);
        assertThat(editor.remove("my-b")).isInstanceOf(Changed.class);
        assertThat(Files.readString(file))
                .isEqualTo(
                        TEAM.replace("}, // the first", "} // the first")
                                .replaceFirst(
                                        "(?s)        \"my_b\".*?        }   //", "           //"));
    }

    @Test
    void removesServerWithItsLine() throws IOException {
        write(TEAM.replace(" // the first", ""));
        editor.remove("a");
        assertThat(Files.readString(file))
                .isEqualTo(
                        TEAM.replace("        \"a\": { \"command\": \"x\" }, // the first\n", ""));
    }

    @Test
    void enablesAndDisablesWithTheKeyTheFileUses() throws IOException {
        write(TEAM);
        assertThat(editor.enable("a")).isEqualTo(new Unchanged(file));
        editor.disable("a");
        var off = TEAM.replace("\"x\" }", "\"x\", \"enabled\": false }");
        assertThat(Files.readString(file)).isEqualTo(off);
        assertThat(editor.disable("a")).isEqualTo(new Unchanged(file));
        editor.enable("a");
        assertThat(Files.readString(file)).isEqualTo(off.replace("false", "true"));

        write("{\"mcpServers\": {\"a\": {\"command\": \"x\", \"disabled\": true}}}");
        editor.enable("a");
        assertThat(file).content().contains("\"disabled\": false").doesNotContain("enabled");
    }

    @Test
    void refusesInvalidEdits() throws IOException {
        write(TEAM);
        assertThat(refusal(editor.remove("c"))).isEqualTo(Refusal.NO_SUCH_SERVER);
        assertThat(refusal(editor.enable("c"))).isEqualTo(Refusal.NO_SUCH_SERVER);
        assertThat(refusal(editor.add(ConfigEntry.stdio("my-b", List.of("y"), Map.of()))))
                .isEqualTo(Refusal.SERVER_EXISTS);
        assertThat(refusal(editor.add(ConfigEntry.http("d", "not a url", Map.of()))))
                .isEqualTo(Refusal.INVALID_ENTRY);
        assertThat(refusal(editor.add(ConfigEntry.stdio("patchbay", List.of("y"), Map.of()))))
                .isEqualTo(Refusal.INVALID_ENTRY);
        assertThat(Files.readString(file)).isEqualTo(TEAM);
    }

    @Test
    void refusesFileWithErrors() throws IOException {
        var broken = TEAM.replace("\"safe\"", "\"odd\"");
        write(broken);
        var result = editor.disable("a");
        assertThat(refusal(result)).isEqualTo(Refusal.INVALID_FILE);
        assertThat(((Refused) result).findings())
                .extracting(Finding::path)
                .contains("patchbay.names");
        assertThat(Files.readString(file)).isEqualTo(broken);
    }

    @Test
    void editsFileWithUnsetVariables() throws IOException {
        write("{\"mcpServers\": {\"a\": {\"url\": \"${NOT_SET_HERE}\"}}}");
        assertThat(editor.disable("a")).isInstanceOf(Changed.class);
    }

    @Test
    void keepsPermissionsAndLinks() throws IOException {
        var real = Files.writeString(folder.resolve("real.json"), TEAM);
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Files.createSymbolicLink(folder.resolve("link.json"), Path.of("real.json"));
        Files.createSymbolicLink(file, Path.of("link.json"));
        editor.disable("a");
        assertThat(file).isSymbolicLink();
        assertThat(folder.resolve("link.json")).isSymbolicLink();
        assertThat(Files.readString(real)).contains("\"enabled\": false");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-r-----");
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private static Refusal refusal(EditResult result) {
        return ((Refused) result).reason();
    }
}

package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** {@code patchbay adopt} with five hosts of four file formats. */
class AdoptCommandTest {
    private static final Map<String, String> FILES =
            Map.of(
                    ".cursor/mcp.json",
                    "{\"mcpServers\": {\"a\": {\"command\": \"true\"}}, // mine\r\n \"x\": 1}",
                    ".codex/config.toml",
                    "model = 'x'\n\n[mcp_servers.b]\ncommand = 'true'\n# end",
                    ".config/zed/settings.json",
                    """
                    // Zed
                    {
                      "context_servers": {"c": {"command": "true", "args": ["c"]}},
                    }
                    """,
                    ".config/goose/config.yaml",
                    """
                    GOOSE_MODE: auto
                    extensions:
                      d:
                        type: stdio
                        cmd: 'true'
                        args: [d]
                    """,
                    ".kiro/settings/mcp.json",
                    "\uFEFF{\"mcpServers\": {\"a\": {\"command\": \"true\","
                            + " \"disabled\": false}}}");

    @TempDir private Path folder;

    private TestInstallation installation;

    @BeforeEach
    void writeHostFiles() throws IOException {
        installation = new TestInstallation(folder);
        for (var file : FILES.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }

    @Test
    void fiveHostsAreAdoptedAndPutBackByteForByte() throws Exception {
        CommandResult refused = installation.runWithoutConfig("adopt");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("--yes");
        assertThat(hostFiles()).isEqualTo(FILES);

        CommandResult adopted = installation.runWithoutConfig("adopt", "--yes");
        assertThat(adopted.status()).as(adopted.err()).isZero();
        assertThat(adopted.out())
                .contains("Cursor", "Codex", "Zed", "Goose", "Kiro", "patchbay adopt --undo");
        for (String text : hostFiles().values()) {
            assertThat(text).contains("patchbay", "stdio");
        }
        assertThat(installation.runWithoutConfig("uninstall", "cursor").err())
                .contains("patchbay adopt --undo cursor");
        assertThat(installation.runWithoutConfig("import").out())
                .contains("cursor", "yes", "goose");

        CommandResult undone = installation.runWithoutConfig("adopt", "--undo", "--json");
        assertThat(undone.status()).as(undone.err()).isZero();
        assertThat(StrictJson.parse(undone.out()).at("files").asList()).hasSize(6);
        assertThat(hostFiles()).isEqualTo(FILES);
    }

    @Test
    void installWarnsOfCopies() throws Exception {
        assertThat(installation.run("import", "cursor").status()).isZero();
        CommandResult installed = installation.run("install", "cursor");
        assertThat(installed.err()).contains("own copies of a", "patchbay adopt cursor");
        CommandResult doctor = installation.run("doctor");
        assertThat(doctor.out()).contains("HOST_HAS_COPIES");
    }

    private Map<String, String> hostFiles() throws IOException {
        var texts = new TreeMap<String, String>();
        for (String file : FILES.keySet()) {
            texts.put(file, Files.readString(folder.resolve(file)));
        }
        return texts;
    }
}

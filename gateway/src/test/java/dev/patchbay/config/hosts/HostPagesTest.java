package dev.patchbay.config.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.hosts.HostFile.Scope;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The pages of the hosts say where the program looks. */
class HostPagesTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path HOME = Path.of("/home/kim");
    private static final Path WORK = Path.of("/work");

    @ParameterizedTest
    @EnumSource
    void pageNamesTheFilesOfEverySystem(McpHost host) throws IOException {
        String page = Files.readString(DOCS.resolve("hosts", host.cliName() + ".md"));
        assertThat(page)
                .startsWith("# " + host.displayName() + "\n")
                .contains("| Linux | `" + userFile(Platform.LINUX, host) + "` |")
                .contains("| macOS | `" + userFile(Platform.MACOS, host) + "` |")
                .contains("| Windows | `" + userFile(Platform.WINDOWS, host) + "` |")
                .contains("| project | " + projectFile(host) + " |")
                .contains("patchbay install " + host.cliName())
                .contains("patchbay uninstall " + host.cliName())
                .contains("patchbay import " + host.cliName());
    }

    @Test
    void indexListsEveryHost() throws IOException {
        String index = Files.readString(DOCS.resolve("hosts.md"));
        for (var host : McpHost.values()) {
            assertThat(index)
                    .contains(
                            "| [%s](hosts/%s.md) | `%s` | `%s` |"
                                    .formatted(
                                            host.displayName(),
                                            host.cliName(),
                                            host.cliName(),
                                            userFile(Platform.LINUX, host)))
                    .contains("\n| " + host.displayName() + " | ");
        }
    }

    private static String userFile(Platform platform, McpHost host) {
        String path = files(platform).locate(host, Scope.USER).orElseThrow().path().toString();
        if (platform != Platform.WINDOWS) {
            return path.replace(HOME.toString(), "~");
        }
        return path.replace(HOME.resolve("AppData", "Roaming").toString(), "%APPDATA%")
                .replace(HOME.toString(), "%USERPROFILE%")
                .replace('/', '\\');
    }

    private static String projectFile(McpHost host) {
        return files(Platform.LINUX)
                .locate(host, Scope.PROJECT)
                .map(file -> "`" + WORK.relativize(file.path()) + "`")
                .orElse("none");
    }

    private static HostFileLocator files(Platform platform) {
        return new HostFileLocator(new Environment(platform, HOME, WORK, Map.of()));
    }
}

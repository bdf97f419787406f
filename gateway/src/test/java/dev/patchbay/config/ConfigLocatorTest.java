package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Environment.Platform;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Where the configuration file is looked for. */
class ConfigLocatorTest {
    @TempDir Path folder;
    private Path work;
    private Path home;

    @BeforeEach
    void makeFolders() throws IOException {
        work = Files.createDirectories(folder.resolve("work"));
        home = Files.createDirectories(folder.resolve("home"));
    }

    @Test
    void usesFirstExistingFile() throws IOException {
        var surroundings = environmentOn(Platform.LINUX, Map.of());
        var locator = new ConfigLocator(surroundings);
        assertThat(locator.find(null)).isEmpty();
        assertThat(locator.findForEditing(null))
                .isEqualTo(home.resolve(".config/patchbay/patchbay.json"));

        Files.createDirectories(home.resolve(".config/patchbay"));
        var users = Files.writeString(home.resolve(".config/patchbay/patchbay.json"), "{}");
        assertThat(locator.find(null)).contains(users);

        var shared = Files.writeString(work.resolve(".mcp.json"), "{}");
        assertThat(locator.find(null)).contains(shared);

        var own = Files.writeString(work.resolve("patchbay.json"), "{}");
        assertThat(locator.find(null)).contains(own);

        assertThat(locator.find(Path.of("other.json"))).contains(work.resolve("other.json"));
    }

    @Test
    void doesNotSkipDanglingLink() throws IOException {
        var link = Files.createSymbolicLink(work.resolve("patchbay.json"), Path.of("gone.json"));
        assertThat(new ConfigLocator(environmentOn(Platform.LINUX, Map.of())).find(null))
                .contains(link);
    }

    @Test
    void knowsUserDirectoryOfEachPlatform() {
        assertThat(
                        environmentOn(Platform.LINUX, Map.of("XDG_CONFIG_HOME", "/xdg"))
                                .configDirectory())
                .isEqualTo(Path.of("/xdg/patchbay"));
        assertThat(
                        environmentOn(Platform.LINUX, Map.of("XDG_CONFIG_HOME", "relative"))
                                .configDirectory())
                .isEqualTo(home.resolve(".config/patchbay"));
        assertThat(
                        environmentOn(Platform.MACOS, Map.of("XDG_CONFIG_HOME", "/xdg"))
                                .configDirectory())
                .isEqualTo(home.resolve("Library/Application Support/patchbay"));
        assertThat(environmentOn(Platform.WINDOWS, Map.of("APPDATA", "/appdata")).configDirectory())
                .isEqualTo(Path.of("/appdata/patchbay"));
        assertThat(environmentOn(Platform.WINDOWS, Map.of()).configDirectory())
                .isEqualTo(home.resolve("AppData/Roaming/patchbay"));
    }

    @Test
    void recognisesPlatformByOsName() {
        assertThat(Platform.of("Windows 11")).isEqualTo(Platform.WINDOWS);
        assertThat(Platform.of("Mac OS X")).isEqualTo(Platform.MACOS);
        assertThat(Platform.of("Linux")).isEqualTo(Platform.LINUX);
    }

    @Test
    void runsReplWhenNothingIsConfigured() {
        var embedded = Configuration.replOnly(List.of("/opt/patchbay", "repl"));
        assertThat(embedded.servers())
                .singleElement()
                .satisfies(
                        server -> {
                            assertThat(server.id().value()).isEqualTo("java");
                            assertThat(server.transport())
                                    .isEqualTo(
                                            new Transport.Stdio(
                                                    "/opt/patchbay",
                                                    List.of("repl"),
                                                    Map.of(),
                                                    null));
                        });
    }

    private Environment environmentOn(Platform platform, Map<String, String> environment) {
        return new Environment(platform, home, work, environment);
    }
}

package dev.patchbay.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.config.Environment.Platform;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

class BundleManifestTest {
    private static final Path FOLDER = Path.of("/bundles/abc");

    private static final String CONFIGURED =
            """
            "mcp_config": {"command": "node",
              "args": ["${__dirname}/server/index.js", "${user_config.dirs}",
                "--level=${user_config.level}", "${user_config.unset}", "${UNKNOWN}"],
              "env": {"KEY": "Bearer ${user_config.key}", "HOME_DIR": "${HOME}${/}x"},
              "platform_overrides": {
                "win32": {"command": "node.exe", "env": {"WIN": "1"}},
                "darwin": {"args": ["mac"]}}}},
            "user_config": {
              "dirs": {"type": "directory", "title": "D", "description": "Folders",
                "multiple": true, "required": true, "default": ["${HOME}/Desktop", "/tmp"]},
              "level": {"type": "number", "title": "L", "description": "L", "default": 3},
              "unset": {"type": "string", "title": "U", "description": "U"},
              "key": {"type": "string", "title": "K", "description": "K", "sensitive": true,
                "required": true}}}
            """;

    private static String manifest(String type, String rest) {
        return ("{\"manifest_version\":\"0.4\",\"name\":\"n\",\"version\":\"1\","
                        + "\"description\":\"d\",\"author\":{\"name\":\"a\"},"
                        + "\"server\":{\"type\":\"%s\","
                        + "\"entry_point\":\"server/main.py\"%s")
                .formatted(type, rest.isEmpty() ? "}}" : "," + rest);
    }

    private static String entry(String manifest, Platform platform, String... answers)
            throws RegistryException {
        LaunchTemplate launch =
                BundleManifest.read(manifest.getBytes(UTF_8))
                        .launch(FOLDER, TestEnvironments.of(platform), "python3"::equals);
        return ServerPlanner.plan(
                        "n", "", launch, InputAnswers.parse(List.of(answers), launch.inputs()))
                .entry()
                .definition()
                .toString();
    }

    @Test
    void fillsInFoldersAndValuesOfTheUser() throws Exception {
        assertThat(entry(manifest("node", CONFIGURED), Platform.LINUX, "key=k", "level=5"))
                .isEqualTo(
                        "{\"command\":\"node\",\"args\":[\"/bundles/abc/server/index.js\","
                                + "\"/home/kim/Desktop\",\"/tmp\",\"--level=5\",\"$${UNKNOWN}\"],"
                                + "\"env\":{\"KEY\":\"Bearer ${secret:n.key}\","
                                + "\"HOME_DIR\":\"/home/kim/x\"},\"cwd\":\"/bundles/abc\"}");
        assertThatThrownBy(() -> entry(manifest("node", CONFIGURED), Platform.LINUX))
                .hasMessageContaining("required: key=");
    }

    @Test
    void appliesTheValuesOfThePlatform() throws Exception {
        assertThat(entry(manifest("node", CONFIGURED), Platform.WINDOWS, "key=k"))
                .contains("\"command\":\"node.exe\"", "\"WIN\":\"1\"", "\"KEY\"");
        assertThat(entry(manifest("node", CONFIGURED), Platform.MACOS, "key=k"))
                .contains("\"args\":[\"mac\"]");
        String elsewhere =
                manifest("node", "\"mcp_config\":{\"command\":\"node\"}},")
                        + "\"compatibility\":{\"platforms\":[\"darwin\"]}}";
        assertThatThrownBy(() -> entry(elsewhere, Platform.LINUX))
                .hasMessageContaining("does not run on this platform");
    }

    @Test
    void startsProgramsOfTheBundleByTheirWholePath() throws Exception {
        assertThat(
                        entry(
                                manifest("binary", "\"mcp_config\":{\"command\":\"bin/run\"}}}"),
                                Platform.LINUX))
                .contains("\"command\":\"/bundles/abc/bin/run\"");
        assertThat(
                        entry(
                                manifest("python", "\"mcp_config\":{\"command\":\"python\"}}}"),
                                Platform.LINUX))
                .contains("\"command\":\"python3\"");
        assertThat(entry(manifest("uv", ""), Platform.LINUX))
                .contains("\"uv\"", "\"run\",\"--directory\",\"/bundles/abc\",\"server/main.py\"");
        assertThatThrownBy(
                        () ->
                                entry(
                                        manifest(
                                                "binary",
                                                "\"mcp_config\":{\"command\":\"../sh\"}}}"),
                                        Platform.LINUX))
                .hasMessageContaining("outside of the bundle");
    }

    @Test
    void refusesManifestsThatItDoesNotUnderstand() {
        for (String wrong :
                List.of(
                        "[]",
                        "{",
                        "{\"manifest_version\":\"9\",\"name\":\"n\"}",
                        "{\"manifest_version\":\"0.4\"}",
                        manifest("node", ""),
                        manifest("perl", "\"mcp_config\":{\"command\":\"perl\"}}}"))) {
            assertThatThrownBy(() -> entry(wrong, Platform.LINUX))
                    .as(wrong)
                    .isInstanceOf(RegistryException.class);
        }
    }
}

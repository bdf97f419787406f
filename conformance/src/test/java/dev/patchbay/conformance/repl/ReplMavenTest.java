package dev.patchbay.conformance.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Coordinates that are resolved by the Maven of this machine, with its own settings. The artifacts
 * are such as the build itself has just used.
 */
@Tag("fleet")
class ReplMavenTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    @TempDir private static Path home;

    private static ReplTestClient repl;

    @BeforeAll
    static void open() throws Exception {
        repl = ReplTestClient.open(home, TIMEOUT);
        repl.evaluate("int kept = 5;");
    }

    @AfterAll
    static void close() {
        repl.close();
    }

    /** The coordinate of the jar that a class of this test comes from. */
    private static String coordinate(String artifact, Class<?> type) throws URISyntaxException {
        Path jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path version = jar.getParent();
        assertThat(version.getParent().getFileName().toString()).isEqualTo(artifact);
        return type.getPackageName().replaceFirst("^(\\w+\\.\\w+).*", "$1")
                + ":"
                + artifact
                + ":"
                + version.getFileName();
    }

    private static JsonTree addDependency(String entry) throws InterruptedException {
        String arguments = "{\"entry\":" + StrictJson.quote(entry) + "}";
        return repl.client.callTool("add_to_classpath", arguments).at("result");
    }

    private static List<String> addedEntries(JsonTree result) {
        assertThat(ReplTestClient.isError(result)).as(ReplTestClient.text(result)).isFalse();
        return result.at("structuredContent", "added").asList().stream()
                .map(path -> Path.of(path.asText()).getFileName().toString())
                .toList();
    }

    @Test
    void addsAnArtifactWithoutDependencies() throws Exception {
        String coordinate = coordinate("jspecify", Nullable.class);
        assertThat(addedEntries(addDependency(coordinate)))
                .containsExactly(coordinate.replaceFirst(".*:(.*):", "$1-") + ".jar");
        assertThat(ReplTestClient.text(repl.evaluate("org.jspecify.annotations.Nullable.class")))
                .contains("org.jspecify.annotations.Nullable");
        assertThat(ReplTestClient.text(repl.evaluate("kept"))).isEqualTo("=> 5 : int");
    }

    @Test
    void addsAnArtifactWithItsDependencies() throws Exception {
        List<String> jars =
                addedEntries(addDependency(coordinate("assertj-core", Assertions.class)));
        assertThat(jars)
                .hasSize(2)
                .anyMatch(jar -> jar.startsWith("assertj-core-"))
                .anyMatch(jar -> jar.startsWith("byte-buddy-"));
        String code =
                "org.assertj.core.api.Assertions.assertThat(1).isEqualTo(1);"
                        + " new net.bytebuddy.ByteBuddy() != null";
        assertThat(ReplTestClient.text(repl.evaluate(code))).endsWith("=> true : boolean");
        assertThat(ReplTestClient.text(repl.evaluate("kept"))).isEqualTo("=> 5 : int");
    }

    @Test
    void reportsMavensErrorForAMissingArtifact() throws Exception {
        JsonTree result = addDependency("dev.patchbay.absent:absent:1.0");
        assertThat(ReplTestClient.isError(result)).isTrue();
        assertThat(ReplTestClient.text(result))
                .startsWith("[ERROR] Maven could not resolve dev.patchbay.absent:absent:1.0:\n")
                .contains("absent:jar:1.0")
                .doesNotContain("\n[ERROR]", "Help", "WARNING", "\u001b");
        assertThat(ReplTestClient.text(repl.evaluate("kept"))).isEqualTo("=> 5 : int");
    }
}

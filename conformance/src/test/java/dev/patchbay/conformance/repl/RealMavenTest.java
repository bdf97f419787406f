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
class RealMavenTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir private static Path home;

    private static Repl repl;

    @BeforeAll
    static void open() throws Exception {
        repl = Repl.open(home, PATIENCE);
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

    private static JsonTree add(String entry) throws InterruptedException {
        String arguments = "{\"entry\":" + StrictJson.quote(entry) + "}";
        return repl.client.call("add_to_classpath", arguments).at("result");
    }

    private static List<String> added(JsonTree result) {
        assertThat(Repl.isError(result)).as(Repl.text(result)).isFalse();
        return result.at("structuredContent", "added").list().stream()
                .map(path -> Path.of(path.text()).getFileName().toString())
                .toList();
    }

    @Test
    void addsAnArtifactThatNeedsNoOther() throws Exception {
        String coordinate = coordinate("jspecify", Nullable.class);
        assertThat(added(add(coordinate)))
                .containsExactly(coordinate.replaceFirst(".*:(.*):", "$1-") + ".jar");
        assertThat(Repl.text(repl.evaluate("org.jspecify.annotations.Nullable.class")))
                .contains("org.jspecify.annotations.Nullable");
        assertThat(Repl.text(repl.evaluate("kept"))).isEqualTo("=> 5 : int");
    }

    @Test
    void addsAllThatAnArtifactNeeds() throws Exception {
        List<String> jars = added(add(coordinate("assertj-core", Assertions.class)));
        assertThat(jars)
                .hasSize(2)
                .anyMatch(jar -> jar.startsWith("assertj-core-"))
                .anyMatch(jar -> jar.startsWith("byte-buddy-"));
        String code =
                "org.assertj.core.api.Assertions.assertThat(1).isEqualTo(1);"
                        + " new net.bytebuddy.ByteBuddy() != null";
        assertThat(Repl.text(repl.evaluate(code))).endsWith("=> true : boolean");
        assertThat(Repl.text(repl.evaluate("kept"))).isEqualTo("=> 5 : int");
    }

    @Test
    void saysWhatMavenSaysOfAnArtifactThatIsNowhere() throws Exception {
        JsonTree result = add("dev.patchbay.absent:absent:1.0");
        assertThat(Repl.isError(result)).isTrue();
        assertThat(Repl.text(result))
                .startsWith("[ERROR] Maven could not resolve dev.patchbay.absent:absent:1.0:\n")
                .contains("absent:jar:1.0")
                .doesNotContain("\n[ERROR]", "Help", "WARNING", "\u001b");
        assertThat(Repl.text(repl.evaluate("kept"))).isEqualTo("=> 5 : int");
    }
}

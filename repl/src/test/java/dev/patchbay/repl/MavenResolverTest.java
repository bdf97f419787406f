package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/** How Maven is asked, with a stand-in for it that is a shell script. */
@DisabledOnOs(OS.WINDOWS)
class MavenResolverTest {
    @TempDir Path folder;

    private MavenResolver resolverWithScript(String script) throws IOException {
        Path file = Files.writeString(folder.resolve("mvn"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return new MavenResolver(
                List.of(folder.resolve("nowhere"), folder), Duration.ofSeconds(30));
    }

    @Test
    void distinguishesCoordinatesFromPaths() {
        assertThat(MavenResolver.isCoordinate("org.example:thing:1.0")).isTrue();
        assertThat(MavenResolver.isCoordinate("org.example:thing")).isTrue();
        assertThat(MavenResolver.isCoordinate("lib/thing.jar")).isFalse();
        assertThat(MavenResolver.isCoordinate("a.jar:b/c.jar")).isFalse();
        assertThat(MavenResolver.isCoordinate("a:b:c</version>")).isFalse();
    }

    @Test
    void resolvesCoordinateToJars() throws Exception {
        MavenResolver maven =
                resolverWithScript(
                        """
                        for a; do case "$a" in -Dmdep.outputFile=*) out="${a#*=}";; esac; done
                        while [ "$1" != --file ]; do shift; done
                        cp "$2" "%s/seen.xml"
                        printf '/one.jar:/two.jar' > "$out"
                        """
                                .formatted(folder));
        assertThat(maven.resolve("org.example:thing:jar:tests:1.0"))
                .containsExactly(Path.of("/one.jar"), Path.of("/two.jar"));
        assertThat(Files.readString(folder.resolve("seen.xml")))
                .contains(
                        "<groupId>org.example</groupId><artifactId>thing</artifactId>"
                                + "<version>1.0</version><type>jar</type>"
                                + "<classifier>tests</classifier>");
    }

    @Test
    void missingVersionMeansNewestRelease() throws Exception {
        MavenResolver maven =
                resolverWithScript(
                        """
                        for a; do case "$a" in -Dmdep.outputFile=*) out="${a#*=}";; esac; done
                        while [ "$1" != --file ]; do shift; done
                        cp "$2" "%s/seen.xml"
                        printf '/one.jar' > "$out"
                        """
                                .formatted(folder));
        assertThat(maven.resolve("org.example:thing")).hasSize(1);
        assertThat(Files.readString(folder.resolve("seen.xml")))
                .contains("<artifactId>thing</artifactId><version>RELEASE</version>");
    }

    @Test
    void reportsMavenErrors() throws Exception {
        MavenResolver maven =
                resolverWithScript(
                        """
                        printf '\\033[0m\\033[1;31m[ERROR]\\033[m no such artifact -> [Help 1]\\n'
                        echo 'WARNING: A terminally deprecated method has been called'
                        echo '[ERROR] '
                        echo '[ERROR] Re-run Maven using the -X switch to enable full logging.'
                        echo '[ERROR] [Help 1] http://example.org/help'
                        exit 1
                        """);
        assertThatThrownBy(() -> maven.resolve("org.example:thing:1.0"))
                .isInstanceOf(ReplException.class)
                .hasMessage("Maven could not resolve org.example:thing:1.0:\nno such artifact");
    }

    @Test
    void stopsMavenAtTimeout() throws Exception {
        MavenResolver slow = resolverWithScript("exec sleep 100");
        var hasty = new MavenResolver(slow.searchPath(), Duration.ofMillis(300));
        assertThatThrownBy(() -> hasty.resolve("org.example:thing:1.0"))
                .isInstanceOf(ReplException.class)
                .hasMessageContaining("did not resolve");
    }

    @Test
    void reportsMissingMaven() {
        var none = new MavenResolver(List.of(folder), Duration.ofSeconds(1));
        assertThatThrownBy(() -> none.resolve("org.example:thing:1.0"))
                .isInstanceOf(ReplException.class)
                .hasMessageContaining("no mvn on the PATH");
    }
}

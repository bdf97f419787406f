package dev.patchbay.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.net.URI;
import java.nio.file.Path;

class CodeLocationTest {
    private static final String FILE = "dev/patchbay/files/CodeLocation.class";

    @Test
    void sourceAndResourceNameTheSamePlace() {
        assertThat(CodeLocation.of(CodeLocation.class).resolve(FILE)).exists();
        assertThat(CodeLocation.ofResource(CodeLocation.class.getResource("/" + FILE), FILE))
                .isEqualTo(CodeLocation.of(CodeLocation.class));
    }

    /** A class from an archive of classes may have no location. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void findsTheJarOfResource() throws Exception {
        var resource = URI.create("jar:file:/opt/with%20space/p.jar!/" + FILE).toURL();
        assertThat(CodeLocation.ofResource(resource, FILE))
                .isEqualTo(Path.of("/opt/with space/p.jar"));
    }
}

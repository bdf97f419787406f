package dev.patchbay.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

class InheritedEnvironmentTest {
    @Test
    void onlyVariablesThatServersGetAnywayStay() {
        byte[] bytes =
                "PATH=/bin\0TOKEN=a=b\0LC_ALL=C\0odd\0\0HOME=/h\0"
                        .getBytes(StandardCharsets.ISO_8859_1);
        InheritedEnvironment.clearPrivateVariables(bytes);
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
                .isEqualTo("PATH=/bin\0" + "\0".repeat(10) + "LC_ALL=C\0\0\0\0\0\0HOME=/h\0");
    }
}

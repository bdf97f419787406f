package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server cannot read the variables of the gateway that it is not given. */
@EnabledOnOs(OS.LINUX)
class GatewayEnvironmentTest {
    private static final String SECRET = "s3cret-of-the-user-4711";

    @TempDir private Path folder;

    @Test
    void environmentOfTheGatewayShowsNoSecret() throws Exception {
        var user = new TestInstallation(folder).env("USER_TOKEN", SECRET).env("WORD", "hello");
        ShellServer.healthy("one").addTo(user, "\"env\": {\"GREETING\": \"${WORD}\"}");
        user.save();
        try (TestHost host = user.connect()) {
            assertThat(host.callForText("one.who", "{}")).isEqualTo("one");
            assertThat(environment(host.client().pid()))
                    .contains("PATH=", "HOME=" + folder)
                    .doesNotContain(SECRET);
            boolean isGiven = false;
            for (long pid : host.descendants()) {
                String environment = environment(pid);
                assertThat(environment).doesNotContain(SECRET);
                isGiven |= environment.contains("GREETING=hello");
            }
            assertThat(isGiven).as("the variable is expanded and given").isTrue();
        }
    }

    private static String environment(long pid) throws IOException {
        Path file = Path.of("/proc", Long.toString(pid), "environ");
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}

package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** The disk takes nothing of what the gateway would keep there. */
class DiskFaultTest {
    @TempDir private Path folder;

    /** Everything works, it is said whose list is not kept, and later ones are kept again. */
    @Test
    void aDiskThatTakesNothingIsToldAndStopsNobody() throws Exception {
        Path file = Files.writeString(folder.resolve("disk"), "no folder");
        String state = StrictJson.quote(file.resolve("state").toString());
        var bench = new Workbench(folder).settings("\"stateDir\": " + state);
        try (var around = new Neighbourhood(bench)) {
            Host host = around.host();
            try (Watch _ = around.watch()) {
                ServerScript alpha = around.connect(around.script("alpha").tools("echo"));
                assertThat(host.text(alpha.name() + ".echo", "{}")).isEqualTo("{}");
                String told = "The list of " + alpha.name() + " cannot be kept";
                assertThat(Host.await(Host.PATIENCE, () -> says(host, told))).isTrue();
                Files.delete(file);
                ServerScript beta = around.connect(around.script("beta").tools("echo"));
                assertThat(Host.await(Host.PATIENCE, () -> Files.exists(file.resolve("state"))))
                        .isTrue();
                assertThat(says(host, "The list of " + beta.name())).isFalse();
            }
            around.clear();
        }
    }

    private static boolean says(Host host, String words) {
        return host.client().stderr().contains(words);
    }
}

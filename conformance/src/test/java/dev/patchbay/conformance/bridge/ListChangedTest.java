package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Clients are told that a list changed when it did, and only then. */
class ListChangedTest {
    private static final String TOOLS = "notifications/tools/list_changed";

    @TempDir private Path folder;

    @Test
    void aStartWithTheListsOfTheLastTimeTellsOfNothing() throws Exception {
        try (Site site = new Site(folder)) {
            site.server("s", "legacy", false, it -> it.tools("echo", "changed").with("prompts", 2));
            site.client(false, false).close();
            EraClient client = site.client(false, false);
            assertThat(EraClient.await(() -> site.record("s").count("prompts/list") == 2)).isTrue();
            // Whatever is to be told of the start is told before what a call later brings about.
            client.text("s.changed", "{\"kind\":\"prompts\"}");
            assertThat(EraClient.await(() -> site.record("s").count("prompts/list") == 3)).isTrue();
            client.text("s.echo", "{}");
            assertThat(client.notices(TOOLS)).isEmpty();
        }
    }
}

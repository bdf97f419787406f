package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Clients are told that a list changed when it did, and only then. */
class ListChangedTest {
    private static final String TOOLS_LIST_CHANGED = "notifications/tools/list_changed";

    @TempDir private Path folder;

    @Test
    void startWithUnchangedCachedListsSendsNoNotification() throws Exception {
        try (BridgeFixture site = new BridgeFixture(folder)) {
            site.withServer(
                    "s",
                    "legacy",
                    false,
                    it -> it.tools("echo", "changed").withOption("prompts", 2));
            site.connectClient(false, false).close();
            EraClient client = site.connectClient(false, false);
            assertThat(EraClient.await(() -> site.record("s").receivedCount("prompts/list") == 2))
                    .isTrue();
            // Whatever is to be told of the start is told before what a call later brings about.
            client.callForText("s.changed", "{\"kind\":\"prompts\"}");
            assertThat(EraClient.await(() -> site.record("s").receivedCount("prompts/list") == 3))
                    .isTrue();
            client.callForText("s.echo", "{}");
            assertThat(client.notifications(TOOLS_LIST_CHANGED)).isEmpty();
        }
    }
}

package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Clients get a list_changed notification if and only if a list changed. */
class ListChangedTest {
    private static final String TOOLS_LIST_CHANGED = "notifications/tools/list_changed";

    @TempDir private Path folder;

    @Test
    void startWithUnchangedCachedListsSendsNoNotification() throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer(
                    "s",
                    "legacy",
                    false,
                    it -> it.tools("echo", "changed").withOption("prompts", 2));
            fixture.connectClient(false, false).close();
            EraClient client = fixture.connectClient(false, false);
            assertThat(
                            EraClient.await(
                                    () -> fixture.record("s").receivedCount("prompts/list") == 2))
                    .isTrue();
            // Notifications of the start are sent before those that a later call causes.
            client.callForText("s.changed", "{\"kind\":\"prompts\"}");
            assertThat(
                            EraClient.await(
                                    () -> fixture.record("s").receivedCount("prompts/list") == 3))
                    .isTrue();
            client.callForText("s.echo", "{}");
            assertThat(client.notifications(TOOLS_LIST_CHANGED)).isEmpty();
        }
    }
}

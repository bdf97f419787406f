package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;

/** Notifications of a server continue after its event stream breaks. */
class BrokenStreamTest {
    private static final long HOUR_MILLIS = 3_600_000;
    private static final String UPDATED = "notifications/resources/updated";

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void listsAreFetchedAgainAfterTheStreamBreaks(String era) throws Exception {
        Path tools = Files.writeString(folder.resolve("tools.json"), toolList("one"));
        try (BridgeFixture fixture =
                new BridgeFixture(folder)
                        .withServer(
                                "s",
                                era,
                                true,
                                it ->
                                        it.withOption("ttl", HOUR_MILLIS)
                                                .withOption("tools-file", tools.toString()))) {
            EraClient client = fixture.connectClient(true, true);
            for (String more : new String[] {"two", "three"}) {
                Files.writeString(tools, toolList(more));
                fixture.breakConnections();
                assertThat(EraClient.await(() -> isListed(client, "s." + more))).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void resourceUpdatesResumeAfterTheStreamBreaks(String era) throws Exception {
        try (BridgeFixture fixture =
                new BridgeFixture(folder)
                        .withServer(
                                "s",
                                era,
                                true,
                                it -> it.tools("updated").withOption("resources", "test://one"))) {
            EraClient client = fixture.connectClient(true, true);
            assertThat(client.subscribe("test://one")).isTrue();
            for (int round = 1; round <= 2; round++) {
                int before = 2 * round - 2;
                fixture.breakConnections();
                assertThat(EraClient.await(() -> updateCount(client) == before + 1)).isTrue();
                client.callForText("s.updated", EraClient.uriParams("test://one"));
                assertThat(EraClient.await(() -> updateCount(client) == before + 2)).isTrue();
            }
        }
    }

    @Test
    void taskUpdatesResumeAfterTheStreamBreaks() throws Exception {
        try (BridgeFixture fixture =
                new BridgeFixture(folder)
                        .withServer("s", "modern", true, it -> it.tools("task", "finishTask"))) {
            EraClient client =
                    fixture.connectClient(true, true)
                            .withCapabilities(EraMatrixTest.clientCapabilities());
            JsonTree begun = client.call("s.task", "{\"how\":\"wait\"}");
            String task = begun.at("taskId").asText();
            assertThat(TaskFeatureChecks.listenToTask(client, task).asList()).hasSize(1);
            fixture.breakConnections();
            assertThat(EraClient.await(() -> taskListenCount(fixture) == 2)).isTrue();
            client.callForText("s.finishTask", "{\"task\":\"t-1\"}");
            client.awaitNotification(
                    "notifications/tasks", it -> it.at("params", "taskId").asText().equals(task));
        }
    }

    /** How often the server was asked for notifications of a task. */
    private static long taskListenCount(BridgeFixture fixture) {
        return fixture.record("s").received("subscriptions/listen").stream()
                .filter(it -> it.write().contains("taskIds"))
                .count();
    }

    private static String toolList(String name) {
        return "[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}]".formatted(name);
    }

    private static boolean isListed(EraClient client, String tool) {
        return client.request("tools/list", "{}").write().contains("\"" + tool + "\"");
    }

    private static int updateCount(EraClient client) {
        return client.notifications(UPDATED).size();
    }
}

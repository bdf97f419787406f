package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;

/** What a server tells of on a stream is told on, however often the stream breaks. */
class BrokenStreamTest {
    private static final long AN_HOUR = 3_600_000;
    private static final String UPDATED = "notifications/resources/updated";

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void listsThatChangeBetweenTwoStreamsAreAskedForAgain(String era) throws Exception {
        Path tools = Files.writeString(folder.resolve("tools.json"), tools("one"));
        try (Site site =
                new Site(folder)
                        .server(
                                "s",
                                era,
                                true,
                                it ->
                                        it.with("ttl", AN_HOUR)
                                                .with("tools-file", tools.toString()))) {
            EraClient client = site.client(true, true);
            for (String more : new String[] {"two", "three"}) {
                Files.writeString(tools, tools(more));
                site.cut();
                assertThat(EraClient.await(() -> isListed(client, "s." + more))).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void aResourceIsToldOfAgainAndMayHaveChangedMeanwhile(String era) throws Exception {
        try (Site site =
                new Site(folder)
                        .server(
                                "s",
                                era,
                                true,
                                it -> it.tools("updated").with("resources", "test://one"))) {
            EraClient client = site.client(true, true);
            assertThat(client.subscribe("test://one")).isTrue();
            for (int round = 1; round <= 2; round++) {
                int before = 2 * round - 2;
                site.cut();
                assertThat(EraClient.await(() -> updates(client) == before + 1)).isTrue();
                client.text("s.updated", EraClient.uriParams("test://one"));
                assertThat(EraClient.await(() -> updates(client) == before + 2)).isTrue();
            }
        }
    }

    @Test
    void aTaskIsToldOfAgain() throws Exception {
        try (Site site =
                new Site(folder)
                        .server("s", "modern", true, it -> it.tools("task", "finishTask"))) {
            EraClient client = site.client(true, true).declaring(EraMatrixTest.declared());
            JsonTree begun = client.call("s.task", "{\"how\":\"wait\"}");
            String task = begun.at("taskId").text();
            assertThat(TaskFeatures.listen(client, task).list()).hasSize(1);
            site.cut();
            assertThat(EraClient.await(() -> watched(site) == 2)).isTrue();
            client.text("s.finishTask", "{\"task\":\"t-1\"}");
            client.awaitNotice(
                    "notifications/tasks", it -> it.at("params", "taskId").text().equals(task));
        }
    }

    /** How often the server was asked to tell of a task. */
    private static long watched(Site site) {
        return site.record("s").received("subscriptions/listen").stream()
                .filter(it -> it.write().contains("taskIds"))
                .count();
    }

    private static String tools(String name) {
        return "[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}]".formatted(name);
    }

    private static boolean isListed(EraClient client, String tool) {
        return client.request("tools/list", "{}").write().contains("\"" + tool + "\"");
    }

    private static int updates(EraClient client) {
        return client.notices(UPDATED).size();
    }
}

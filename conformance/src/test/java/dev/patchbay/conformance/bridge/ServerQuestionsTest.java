package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Six clients of both eras use one legacy server on stdio, which does not say which call asks. They
 * call, ask, cancel and hang up at random. No client is asked the question of another.
 */
class ServerQuestionsTest {
    private static final long SEED = 4711;
    private static final int CLIENTS = 6;
    private static final int STEPS = 25;

    @TempDir private Path folder;

    @Test
    void noClientIsAskedTheQuestionOfAnother() throws Exception {
        try (BridgeFixture fixture = newFixture()) {
            var clients = new ArrayList<EraClient>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(connect(fixture, i));
            }
            assertThat(clients.getFirst().callForText("s.ask", question(0))).contains("Ann");
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var running = new ArrayList<Future<Integer>>();
                for (int i = 0; i < CLIENTS; i++) {
                    running.add(threads.submit(actAtRandom(clients.get(i), i)));
                }
                for (Future<Integer> each : running) {
                    assertThat(each.get()).as("answered questions").isPositive();
                }
            }
            for (int i = 0; i < CLIENTS; i++) {
                String own = "of client " + i;
                assertThat(clients.get(i).serverRequests())
                        .isNotEmpty()
                        .allMatch(asked -> asked.write().contains(own));
            }
        }
    }

    /** A call of a tool that asks nothing is not held up by a person who does not answer. */
    @Test
    void noOtherClientWaitsForAClientThatDoesNotAnswer() throws Exception {
        try (BridgeFixture fixture = newFixture()) {
            EraClient silent = connect(fixture, 0);
            EraClient other = connect(fixture, 1);
            JsonTree asked =
                    silent.request("tools/call", ClientMessages.callParams("s.ask", question(0)));
            assertThat(EraClient.isInputRequired(asked)).isTrue();
            assertThat(other.callForText("s.echo", "{\"text\":\"hello\"}")).contains("hello");
            assertThat(other.callForText("s.ask", question(1))).contains("Ann");
            assertThat(other.serverRequests()).hasSize(1);
        }
    }

    private BridgeFixture newFixture() {
        return new BridgeFixture(folder)
                .withServer("s", "legacy", false, it -> it.tools("ask", "echo"));
    }

    /** Half of the clients are modern. Each has a name of its own. */
    private static EraClient connect(BridgeFixture fixture, int number) {
        EraClient client = fixture.connectClient(number % 2 == 0, true);
        return client.withMeta(
                "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"client %d\",\"version\":\"1\"}"
                        .formatted(number));
    }

    private static String question(int client) {
        return """
        {"method":"elicitation/create","params":{"message":"A question of client %d",\
        "requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}\
        """
                .formatted(client);
    }

    /** Returns how many questions of the client were answered. */
    private static Callable<Integer> actAtRandom(EraClient client, int number) {
        return () -> {
            var random = new Random(SEED + number);
            int answered = 0;
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(6)) {
                    case 0 -> cancelQuestion(client, number);
                    case 1, 2 ->
                            assertThat(client.callForText("s.echo", "{\"text\":\"hi\"}"))
                                    .contains("hi");
                    default -> {
                        String text = client.callForText("s.ask", question(number));
                        answered += text.contains("Ann") ? 1 : 0;
                    }
                }
            }
            return answered;
        };
    }

    /** A modern client hangs up; a legacy one sends a notification. */
    private static void cancelQuestion(EraClient client, int number) {
        String params = ClientMessages.callParams("s.ask", question(number));
        client.transport().cancel(client.send("tools/call", params));
    }
}

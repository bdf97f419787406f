package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A legacy server over stdio does not say which call its elicitation belongs to. With several calls
 * in flight it still reaches the right client.
 */
class ConcurrentElicitationTest {
    private static final String ELICIT = ClientMessages.callParams("s.elicit", "{}");
    private static final String CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
    private static final String HANG = ClientMessages.callParams("s.hang", "{}");
    private static final int CALLS = 10;

    @TempDir private Path folder;

    private BridgeFixture newFixture() {
        return new BridgeFixture(folder)
                .withServer(
                        "s", "legacy", false, it -> it.tools("elicit", "hang", "crash", "echo"));
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void clientIsAskedWhileItsOtherCallsAreInFlight(boolean modern, boolean http) throws Exception {
        try (BridgeFixture fixture = newFixture()) {
            EraClient client = fixture.connectClient(modern, http);
            String hanging = client.send("tools/call", HANG);
            assertThat(EraClient.await(() -> fixture.record("s").callArguments("hang").size() == 1))
                    .isTrue();
            String eliciting = client.send("tools/call", ELICIT);
            if (modern) {
                // One of the two requests ends with the question; either may bring the answer.
                assertThat(
                                EraClient.await(
                                        () ->
                                                client.hasResponse(hanging)
                                                        || client.hasResponse(eliciting)))
                        .isTrue();
                String carrier = client.hasResponse(hanging) ? hanging : eliciting;
                JsonTree asked = client.awaitResponse(carrier);
                assertThat(EraClient.isInputRequired(asked)).as("%s", asked).isTrue();
                String params = carrier.equals(hanging) ? HANG : ELICIT;
                String again =
                        client.send(
                                "tools/call", client.nextRoundParams(params, asked.at("result")));
                String answered = carrier.equals(hanging) ? eliciting : again;
                assertThat(client.awaitResponse(answered).write()).contains("Ann");
            } else {
                assertThat(client.awaitResponse(eliciting).write()).contains("Ann");
            }
            assertThat(client.serverRequests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void parallelElicitationsOfOneClientAreAllAnswered(boolean modern, boolean http)
            throws Exception {
        try (BridgeFixture fixture = newFixture()) {
            EraClient client = fixture.connectClient(modern, http);
            assertThat(elicitInParallel(List.of(client, client)))
                    .hasSize(2 * CALLS)
                    .allMatch(this::isAccepted);
            assertThat(client.serverRequests()).hasSize(2 * CALLS);
        }
    }

    /** After the first elicitation, clients take turns. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void concurrentClientsGetTheirOwnElicitations(boolean modern) throws Exception {
        try (BridgeFixture fixture = newFixture()) {
            EraClient one = fixture.connectClient(modern, true);
            EraClient two = fixture.connectClient(false, true);
            assertThat(one.callForText("s.elicit", "{}")).contains("Ann");
            assertThat(elicitInParallel(List.of(one, two)))
                    .hasSize(2 * CALLS)
                    .allMatch(this::isAccepted);
            assertThat(one.serverRequests()).hasSize(1 + CALLS);
            assertThat(two.serverRequests()).hasSize(CALLS);
        }
    }

    /**
     * Modern clients have no session: requests of one principal with the same client name are one
     * client.
     */
    @Test
    void modernClientsOfOnePrincipalAreDistinguishedByClientInfo() throws Exception {
        try (BridgeFixture fixture = newFixture()) {
            EraClient one = fixture.connectClient(true, true);
            EraClient two = fixture.connectClient(true, true);
            two.withMeta("\"" + CLIENT_KEY + "\":{\"name\":\"another\",\"version\":\"1\"}");
            one.send("tools/call", HANG);
            assertThat(EraClient.await(() -> fixture.record("s").callArguments("hang").size() == 1))
                    .isTrue();
            assertThat(two.callForText("s.elicit", "{}"))
                    .contains("Calls of 2 clients are in progress");
            assertThat(one.serverRequests()).isEmpty();
            assertThat(two.serverRequests()).isEmpty();
        }
    }

    private boolean isAccepted(String text) {
        return text.contains("Ann");
    }

    /** The texts that all clients get, running in parallel, one call after the other each. */
    private static List<String> elicitInParallel(List<EraClient> clients) throws Exception {
        var texts = new ArrayList<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<List<String>>>();
            for (EraClient client : clients) {
                running.add(threads.submit(elicitRepeatedly(client)));
            }
            for (Future<List<String>> each : running) {
                texts.addAll(each.get());
            }
        }
        return texts;
    }

    private static Callable<List<String>> elicitRepeatedly(EraClient client) {
        return () -> {
            var texts = new ArrayList<String>();
            for (int i = 0; i < CALLS; i++) {
                texts.add(client.callForText("s.elicit", "{}"));
            }
            return texts;
        };
    }

    /** The client gets the error when it retries, and the next call restarts the server. */
    @Test
    void serverDeathDuringElicitationIsReportedToItsClient() throws Exception {
        try (BridgeFixture fixture = newFixture()) {
            EraClient client = fixture.connectClient(true, true);
            JsonTree asked = client.request("tools/call", ELICIT).at("result");
            JsonTree crashed = client.call("s.crash", "{}");
            assertThat(crashed.at("isError").write()).isEqualTo("true");
            JsonTree lost = client.request("tools/call", client.nextRoundParams(ELICIT, asked));
            assertThat(lost.at("result", "isError").write()).isEqualTo("true");
            assertThat(lost.write()).contains("INVOCATION_FAILED", "unknown");
            assertThat(client.callForText("s.elicit", "{}")).contains("Ann");
        }
    }
}

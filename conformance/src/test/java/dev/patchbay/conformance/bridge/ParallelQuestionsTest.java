package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;

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
 * A legacy server over stdio does not say which call its questions belong to. With several calls in
 * flight they are answered all the same, by the client they are for.
 */
class ParallelQuestionsTest {
    private static final String ELICIT = Messages.callParams("s.elicit", "{}");
    private static final String CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
    private static final String HANG = Messages.callParams("s.hang", "{}");
    private static final int CALLS = 10;

    @TempDir private Path folder;

    private Site site() {
        return new Site(folder)
                .server("s", "legacy", false, it -> it.tools("elicit", "hang", "crash", "echo"));
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aClientIsAskedWhileOtherCallsOfItsOwnAreInFlight(boolean modern, boolean http)
            throws Exception {
        try (Site site = site()) {
            EraClient client = site.client(modern, http);
            String hanging = client.send("tools/call", HANG);
            assertThat(EraClient.await(() -> site.record("s").calls("hang").size() == 1)).isTrue();
            String eliciting = client.send("tools/call", ELICIT);
            if (modern) {
                // One of the two requests ends with the question; either may bring the answer.
                assertThat(
                                EraClient.await(
                                        () ->
                                                client.isAnswered(hanging)
                                                        || client.isAnswered(eliciting)))
                        .isTrue();
                String carrier = client.isAnswered(hanging) ? hanging : eliciting;
                JsonTree asked = client.answer(carrier);
                assertThat(EraClient.isQuestion(asked)).as("%s", asked).isTrue();
                String params = carrier.equals(hanging) ? HANG : ELICIT;
                String again =
                        client.send("tools/call", client.answered(params, asked.at("result")));
                String answered = carrier.equals(hanging) ? eliciting : again;
                assertThat(client.answer(answered).write()).contains("Ann");
            } else {
                assertThat(client.answer(eliciting).write()).contains("Ann");
            }
            assertThat(client.questions()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void callsOfOneClientThatAllAskAreAllAnswered(boolean modern, boolean http) throws Exception {
        try (Site site = site()) {
            EraClient client = site.client(modern, http);
            assertThat(texts(List.of(client, client))).hasSize(2 * CALLS).allMatch(this::isAnn);
            assertThat(client.questions()).hasSize(2 * CALLS);
        }
    }

    /** From the first question on, clients take turns. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientsThatAreAskedAtTheSameTimeGetTheirOwnQuestions(boolean modern) throws Exception {
        try (Site site = site()) {
            EraClient one = site.client(modern, true);
            EraClient two = site.client(false, true);
            assertThat(one.text("s.elicit", "{}")).contains("Ann");
            assertThat(texts(List.of(one, two))).hasSize(2 * CALLS).allMatch(this::isAnn);
            assertThat(one.questions()).hasSize(1 + CALLS);
            assertThat(two.questions()).hasSize(CALLS);
        }
    }

    /** They have no session. Each is all the requests of its principal that name it. */
    @Test
    void modernClientsOfOnePrincipalAreToldApartByTheirNames() throws Exception {
        try (Site site = site()) {
            EraClient one = site.client(true, true);
            EraClient two = site.client(true, true);
            two.withMeta("\"" + CLIENT_KEY + "\":{\"name\":\"another\",\"version\":\"1\"}");
            one.send("tools/call", HANG);
            assertThat(EraClient.await(() -> site.record("s").calls("hang").size() == 1)).isTrue();
            assertThat(two.text("s.elicit", "{}")).contains("Calls of 2 clients are in flight");
            assertThat(one.questions()).isEmpty();
            assertThat(two.questions()).isEmpty();
        }
    }

    private boolean isAnn(String text) {
        return text.contains("Ann");
    }

    /** What all clients get that ask for the same at the same time, one call after the other. */
    private static List<String> texts(List<EraClient> clients) throws Exception {
        var texts = new ArrayList<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<List<String>>>();
            for (EraClient client : clients) {
                running.add(threads.submit(elicitations(client)));
            }
            for (Future<List<String>> each : running) {
                texts.addAll(each.get());
            }
        }
        return texts;
    }

    private static Callable<List<String>> elicitations(EraClient client) {
        return () -> {
            var texts = new ArrayList<String>();
            for (int i = 0; i < CALLS; i++) {
                texts.add(client.text("s.elicit", "{}"));
            }
            return texts;
        };
    }

    /** The client finds out when it comes back, and the next call starts the server again. */
    @Test
    void aServerThatDiesWhileItsClientIsAskedIsReportedToThatClient() throws Exception {
        try (Site site = site()) {
            EraClient client = site.client(true, true);
            JsonTree asked = client.request("tools/call", ELICIT).at("result");
            JsonTree crashed = client.call("s.crash", "{}");
            assertThat(crashed.at("isError").write()).isEqualTo("true");
            JsonTree lost = client.request("tools/call", client.answered(ELICIT, asked));
            assertThat(lost.at("result", "isError").write()).isEqualTo("true");
            assertThat(lost.write()).contains("INVOCATION_FAILED", "unknown");
            assertThat(client.text("s.elicit", "{}")).contains("Ann");
        }
    }
}

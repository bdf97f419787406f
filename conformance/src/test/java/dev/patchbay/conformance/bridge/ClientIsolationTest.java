package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** A client cannot affect the calls of another client. */
class ClientIsolationTest {
    private static final String ELICIT = ClientMessages.callParams("s.elicit", "{}");

    @TempDir private Path folder;

    private BridgeFixture newFixture(String era) {
        return new BridgeFixture(folder)
                .withServer("s", era, false, it -> it.tools("slow", "elicit", "echo", "sample"));
    }

    @Test
    void cancellationReachesOnlyCallsOfItsOwnClient() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy")) {
            EraClient legacy = fixture.connectClient(false, true);
            EraClient otherLegacy = fixture.connectClient(false, true);
            EraClient modern = fixture.connectClient(true, true);
            EraClient otherModern = fixture.connectClient(true, true);
            String slow = ClientMessages.callParams("s.slow", "{\"ms\":1500}");
            String one = legacy.send("tools/call", slow);
            String two = modern.send("tools/call", slow);
            assertThat(EraClient.await(() -> fixture.record("s").callArguments("slow").size() == 2))
                    .isTrue();
            for (String id : List.of(one, two)) {
                otherLegacy.transport().send(ClientMessages.cancelled(id));
                otherModern.transport().send(ClientMessages.cancelled(id));
            }
            assertThat(legacy.awaitResponse(one).has("result")).isTrue();
            assertThat(modern.awaitResponse(two).has("result")).isTrue();
            assertThat(fixture.record("s").cancelledIds()).isEmpty();
        }
    }

    @Test
    void suspendedCallResumesOnlyWithItsOwnStateAndRequest() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy")) {
            EraClient client = fixture.connectClient(true, true);
            JsonTree asked = client.request("tools/call", ELICIT).at("result");
            String next = client.nextRoundParams(ELICIT, asked);
            String state = asked.at("requestState").asText();
            char last = state.charAt(state.length() - 1);
            String changed = state.substring(0, state.length() - 1) + (last == '0' ? '1' : '0');
            for (String wrong :
                    List.of(
                            next.replace(state, changed),
                            next.replace("s.elicit", "s.sample"),
                            next.replace("\"arguments\":{}", "\"arguments\":{\"a\":1}"))) {
                assertThat(client.request("tools/call", wrong).at("error", "code").asLong())
                        .as(wrong)
                        .isEqualTo(-32602);
            }
            assertThat(client.request("tools/call", next).at("result", "content").write())
                    .contains("Ann");
            assertThat(client.request("tools/call", next).at("error", "code").asLong())
                    .isEqualTo(-32602);
            assertThat(fixture.record("s").callArguments("elicit")).hasSize(1);
            assertThat(fixture.record("s").callArguments("sample")).isEmpty();
        }
    }

    @Test
    void requestStateOfModernServerIsReturnedUnchanged() throws Exception {
        try (BridgeFixture fixture = newFixture("modern")) {
            EraClient modern = fixture.connectClient(true, true);
            EraClient legacy = fixture.connectClient(false, true);
            assertThat(modern.callForText("s.elicit", "{}")).contains("Ann");
            assertThat(legacy.callForText("s.elicit", "{}")).contains("Ann");
            List<JsonTree> calls = fixture.record("s").received("tools/call");
            assertThat(calls).hasSize(4);
            for (int first : new int[] {0, 2}) {
                String state = "state of " + calls.get(first).at("id").write();
                assertThat(calls.get(first + 1).at("params", "requestState").asText())
                        .isEqualTo(state);
            }
        }
    }
}

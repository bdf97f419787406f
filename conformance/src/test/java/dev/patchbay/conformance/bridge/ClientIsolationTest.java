package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** What one client does never touches the calls of another. */
class ClientIsolationTest {
    private static final String ELICIT = Messages.callParams("s.elicit", "{}");

    @TempDir private Path folder;

    private Site site(String era) {
        return new Site(folder)
                .server("s", era, false, it -> it.tools("slow", "elicit", "echo", "sample"));
    }

    @Test
    void aCancelReachesOnlyTheCallsOfItsOwnClient() throws Exception {
        try (Site site = site("legacy")) {
            EraClient legacy = site.client(false, true);
            EraClient otherLegacy = site.client(false, true);
            EraClient modern = site.client(true, true);
            EraClient otherModern = site.client(true, true);
            String slow = Messages.callParams("s.slow", "{\"ms\":1500}");
            String one = legacy.send("tools/call", slow);
            String two = modern.send("tools/call", slow);
            assertThat(EraClient.await(() -> site.record("s").calls("slow").size() == 2)).isTrue();
            for (String id : List.of(one, two)) {
                otherLegacy.wire().send(Messages.cancelled(id));
                otherModern.wire().send(Messages.cancelled(id));
            }
            assertThat(legacy.answer(one).has("result")).isTrue();
            assertThat(modern.answer(two).has("result")).isTrue();
            assertThat(site.record("s").cancels()).isEmpty();
        }
    }

    @Test
    void aCallThatWaitsGoesOnOnlyWithItsOwnStateAndRequest() throws Exception {
        try (Site site = site("legacy")) {
            EraClient client = site.client(true, true);
            JsonTree asked = client.request("tools/call", ELICIT).at("result");
            String next = client.answered(ELICIT, asked);
            String state = asked.at("requestState").text();
            char last = state.charAt(state.length() - 1);
            String changed = state.substring(0, state.length() - 1) + (last == '0' ? '1' : '0');
            for (String wrong :
                    List.of(
                            next.replace(state, changed),
                            next.replace("s.elicit", "s.sample"),
                            next.replace("\"arguments\":{}", "\"arguments\":{\"a\":1}"))) {
                assertThat(client.request("tools/call", wrong).at("error", "code").integer())
                        .as(wrong)
                        .isEqualTo(-32602);
            }
            assertThat(client.request("tools/call", next).at("result", "content").write())
                    .contains("Ann");
            assertThat(client.request("tools/call", next).at("error", "code").integer())
                    .isEqualTo(-32602);
            assertThat(site.record("s").calls("elicit")).hasSize(1);
            assertThat(site.record("s").calls("sample")).isEmpty();
        }
    }

    @Test
    void theStateOfAModernServerComesBackAsItWas() throws Exception {
        try (Site site = site("modern")) {
            EraClient modern = site.client(true, true);
            EraClient legacy = site.client(false, true);
            assertThat(modern.text("s.elicit", "{}")).contains("Ann");
            assertThat(legacy.text("s.elicit", "{}")).contains("Ann");
            List<JsonTree> calls = site.record("s").received("tools/call");
            assertThat(calls).hasSize(4);
            for (int first : new int[] {0, 2}) {
                String state = "state of " + calls.get(first).at("id").write();
                assertThat(calls.get(first + 1).at("params", "requestState").text())
                        .isEqualTo(state);
            }
        }
    }
}

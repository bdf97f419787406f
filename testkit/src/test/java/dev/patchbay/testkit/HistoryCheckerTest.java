package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

class HistoryCheckerTest {
    private static final String PING = ClientMessages.request("7", "ping", "");
    private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}";

    @Test
    void acceptsOneResponsePerRequest() {
        assertThat(
                        check(
                                "> " + PING,
                                "> " + ClientMessages.request("\"7\"", "ping", ""),
                                "< {\"jsonrpc\":\"2.0\",\"id\":\"7\",\"result\":{}}",
                                "< {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}",
                                "< " + PONG,
                                "> {broken",
                                "< {\"jsonrpc\":\"2.0\",\"id\":null,"
                                        + "\"error\":{\"code\":-32700,\"message\":\"m\"}}",
                                "> " + ClientMessages.notification("x", "")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"result\":{}} | answered under",
                "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}} | never asked",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{}} | exactly one",
                "{\"jsonrpc\":\"2.0\",\"id\":7} | exactly one",
                "not json | not strict JSON",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"} | illegal id",
            })
    void reportsViolations(String received, String sentence) {
        assertThat(check("> " + PING, "< " + received))
                .anySatisfy(one -> assertThat(one).contains(sentence));
    }

    @Test
    void requiresOneResponseAfterTheRequest() {
        assertThat(check("> " + PING)).singleElement().asString().startsWith("Never answered");
        assertThat(check("> " + PING, "< " + PONG, "< " + PONG)).hasSize(1);
        assertThat(check("< " + PONG, "> " + PING)).hasSize(2);
        assertThat(check("> " + PING, "> " + PING, "< " + PONG, "< " + PONG)).isEmpty();
    }

    @Test
    void cancelledRequestMayStayUnanswered() {
        String cancel = ClientMessages.cancelled("7");
        assertThat(check("> " + PING, "> " + cancel)).isEmpty();
        assertThat(check("> " + PING, "> " + cancel, "< " + PONG)).isEmpty();
        assertThat(check("> " + PING, "> " + cancel, "< " + PONG, "< " + PONG)).hasSize(1);
        assertThat(check("> " + PING, "> " + ClientMessages.cancelled("\"7\""))).hasSize(1);
    }

    private static List<String> check(String... lines) {
        var history = new ArrayList<TrafficLine>();
        for (String line : lines) {
            String text = line.substring(2);
            history.add(line.startsWith(">") ? TrafficLine.sent(text) : TrafficLine.received(text));
        }
        return HistoryChecker.check(history);
    }
}

package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;

/**
 * A legacy session begins once, with a handshake that succeeds, and never ends before the
 * conversation does; modern requests need none. The tests go along one conversation, in order.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#all")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class InitializationStateMachineTest {
    private static final List<String> METHODS =
            List.of(
                    "tools/list",
                    "tools/call",
                    "resources/list",
                    "resources/templates/list",
                    "resources/read",
                    "resources/subscribe",
                    "prompts/list",
                    "prompts/get",
                    "completion/complete",
                    "logging/setLevel",
                    "no/such");

    private static CheckedConversation conversation;

    @Parameter private WireMatrixCase matrixCase;

    @BeforeParameterizedClassInvocation
    static void start(WireMatrixCase cell) {
        conversation = CheckedConversation.start(cell);
    }

    @AfterParameterizedClassInvocation
    static void finish() throws InterruptedException {
        conversation.finishAndCheck();
    }

    /** The version that the handshake asks for; a modern client's host may also be a legacy one. */
    private String version() {
        return matrixCase.isModern() ? "2025-06-18" : matrixCase.version();
    }

    /** A mark that some editors put before everything is not taken for a message's part. */
    @Test
    @Order(0)
    void ignoresAByteOrderMarkAtTheStart() throws Exception {
        conversation.expectResult(
                "\ufeff" + ClientMessages.request("\"mark\"", "ping", ""), "\"mark\"");
    }

    @Test
    @Order(1)
    void rejectsEverythingExceptPingBeforeTheHandshake() throws Exception {
        for (String method : METHODS) {
            for (String params : List.of("", "{}", "{\"name\":\"x\"}", "{\"_meta\":{}}")) {
                conversation.expectError(ClientMessages.request("1", method, params), -32600, "1");
            }
        }
        conversation.expectResult(ClientMessages.request("2", "ping", ""), "2");
        conversation.expectResult(
                ClientMessages.request("\"2\"", "ping", "{\"_meta\":{}}"), "\"2\"");
        if (!matrixCase
                .allowsBatches()) { // the history of such a cell is read as if batches were served
            conversation.expectError(
                    "[" + ClientMessages.request("3", "ping", "") + "]", -32600, "null");
        }
    }

    @Test
    @Order(2)
    void ignoresNotificationsBeforeTheHandshake() throws Exception {
        for (String method :
                List.of("notifications/initialized", "notifications/cancelled", "initialize")) {
            conversation.expectNoResponse(ClientMessages.notification(method, "{}"));
        }
        conversation.expectError(ClientMessages.request("1", "tools/list", ""), -32600, "1");
    }

    @Test
    @Order(3)
    void servesModernRequestsWithoutAHandshake() throws Exception {
        String params = ClientMessages.modernParams("");
        conversation.expectResult(ClientMessages.request("1", "server/discover", params), "1");
        conversation.expectResult(ClientMessages.request("2", "tools/list", params), "2");
        conversation.expectError(ClientMessages.request("3", "initialize", params), -32601, "3");
        conversation.expectError(ClientMessages.request("4", "tools/list", ""), -32600, "4");
    }

    @Test
    @Order(4)
    void failedHandshakeDoesNotInitialize() throws Exception {
        String whole = ClientMessages.initializeParams(version());
        conversation.expectError(
                ClientMessages.request("null", "initialize", whole), -32600, "null");
        conversation.expectError(ClientMessages.request("1", "initialize", "[]"), -32602, "1");
        conversation.expectError(ClientMessages.request("1", "initialize", "null"), -32600, "1");
        for (String params :
                List.of(
                        "",
                        "{}",
                        "{\"protocolVersion\":5,\"capabilities\":{},\"clientInfo\":{}}",
                        "{\"protocolVersion\":\"2025-11-25\"}",
                        whole.replace("\"capabilities\":{}", "\"capabilities\":[]"),
                        whole.replace("\"capabilities\":{},", ""),
                        whole.replace("\"clientInfo\"", "\"client\""),
                        whole.replace("\"" + ClientMessages.CLIENT_NAME + "\"", "5"),
                        whole.replace("\"protocolVersion\"", "\"version\""))) {
            conversation.expectError(
                    ClientMessages.request("1", "initialize", params), -32602, "1");
            conversation.expectError(ClientMessages.request("2", "tools/list", ""), -32600, "2");
        }
    }

    /** One write: the handshake is over before the next message is looked at, a cancel too. */
    @Test
    @Order(5)
    void firstOfTwoHandshakesInOneWriteInitializes() throws Exception {
        String first =
                ClientMessages.request(
                        "1", "initialize", ClientMessages.initializeParams(version()));
        String second =
                ClientMessages.request(
                        "2", "initialize", ClientMessages.initializeParams("2024-11-05"));
        String list = ClientMessages.request("3", "tools/list", "");
        List<JsonTree> answers = new ArrayList<>();
        String lines = first + "\n" + ClientMessages.cancelled("1") + "\n" + second + "\n" + list;
        for (byte[] line : conversation.responsesTo(CheckedConversation.bytes(lines), 3)) {
            answers.add(StrictJson.parse(line));
        }
        assertThat(answers).hasSize(3);
        assertThat(responseWithId(answers, 1).at("result", "protocolVersion").asText())
                .isEqualTo(version());
        assertThat(responseWithId(answers, 1).at("result", "serverInfo", "name").asText())
                .isEqualTo(matrixCase.endpoint().serverName());
        assertThat(responseWithId(answers, 2).at("error", "code").asLong()).isEqualTo(-32600);
        assertThat(responseWithId(answers, 3).has("result")).isTrue();
    }

    @Test
    @Order(6)
    void laterMessagesDoNotChangeTheSession() throws Exception {
        String again = ClientMessages.initializeParams("2024-11-05");
        for (int i = 0; i < 3; i++) {
            conversation.expectError(ClientMessages.request("1", "initialize", again), -32600, "1");
            conversation.expectError(ClientMessages.request("1", "initialize", "{}"), -32600, "1");
            conversation.expectNoResponse(
                    ClientMessages.notification("notifications/initialized", ""));
            conversation.expectResult(ClientMessages.request("2", "tools/list", ""), "2");
            conversation.expectResult(
                    ClientMessages.request("3", "tools/list", ClientMessages.modernParams("")),
                    "3");
            conversation.expectResult(ClientMessages.request("4", "ping", ""), "4");
        }
        if (matrixCase.allowsBatches()) {
            String batch = "[" + ClientMessages.request("1", "initialize", again) + "]";
            List<byte[]> answers = conversation.responsesTo(CheckedConversation.bytes(batch), 1);
            assertThat(StrictJson.parse(answers.getFirst()).at(0, "error", "code").asLong())
                    .isEqualTo(-32600);
        }
    }

    private static JsonTree responseWithId(List<JsonTree> answers, int id) {
        return answers.stream()
                .filter(answer -> answer.at("id").asLong() == id)
                .findFirst()
                .orElseThrow();
    }
}

package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
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
@MethodSource("dev.patchbay.conformance.wire.Cell#all")
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

    private static Talk talk;

    @Parameter private Cell cell;

    @BeforeParameterizedClassInvocation
    static void start(Cell cell) {
        talk = Talk.start(cell);
    }

    @AfterParameterizedClassInvocation
    static void finish() throws InterruptedException {
        talk.finish();
    }

    /** The version that the handshake asks for; a modern client's host may also be a legacy one. */
    private String version() {
        return cell.modern() ? "2025-06-18" : cell.version();
    }

    /** A mark that some editors put before everything is not taken for a message's part. */
    @Test
    @Order(0)
    void ignoresAByteOrderMarkAtTheStart() throws Exception {
        talk.expectResult("\ufeff" + Messages.request("\"mark\"", "ping", ""), "\"mark\"");
    }

    @Test
    @Order(1)
    void refusesEverythingButAPingBeforeTheHandshake() throws Exception {
        for (String method : METHODS) {
            for (String params : List.of("", "{}", "{\"name\":\"x\"}", "{\"_meta\":{}}")) {
                talk.expectError(Messages.request("1", method, params), -32600, "1");
            }
        }
        talk.expectResult(Messages.request("2", "ping", ""), "2");
        talk.expectResult(Messages.request("\"2\"", "ping", "{\"_meta\":{}}"), "\"2\"");
        if (!cell.batches()) { // the history of such a cell is read as if batches were served
            talk.expectError("[" + Messages.request("3", "ping", "") + "]", -32600, "null");
        }
    }

    @Test
    @Order(2)
    void ignoresNotificationsBeforeTheHandshake() throws Exception {
        for (String method :
                List.of("notifications/initialized", "notifications/cancelled", "initialize")) {
            talk.expectSilence(Messages.notification(method, "{}"));
        }
        talk.expectError(Messages.request("1", "tools/list", ""), -32600, "1");
    }

    @Test
    @Order(3)
    void servesModernRequestsWithoutAHandshake() throws Exception {
        String params = Messages.modernParams("");
        talk.expectResult(Messages.request("1", "server/discover", params), "1");
        talk.expectResult(Messages.request("2", "tools/list", params), "2");
        talk.expectError(Messages.request("3", "initialize", params), -32601, "3");
        talk.expectError(Messages.request("4", "tools/list", ""), -32600, "4");
    }

    @Test
    @Order(4)
    void isNotInitializedByAHandshakeThatFails() throws Exception {
        String whole = Messages.initializeParams(version());
        talk.expectError(Messages.request("null", "initialize", whole), -32600, "null");
        talk.expectError(Messages.request("1", "initialize", "[]"), -32602, "1");
        talk.expectError(Messages.request("1", "initialize", "null"), -32600, "1");
        for (String params :
                List.of(
                        "",
                        "{}",
                        "{\"protocolVersion\":5,\"capabilities\":{},\"clientInfo\":{}}",
                        "{\"protocolVersion\":\"2025-11-25\"}",
                        whole.replace("\"capabilities\":{}", "\"capabilities\":[]"),
                        whole.replace("\"capabilities\":{},", ""),
                        whole.replace("\"clientInfo\"", "\"client\""),
                        whole.replace("\"name\":\"testkit\"", "\"name\":5"),
                        whole.replace("\"protocolVersion\"", "\"version\""))) {
            talk.expectError(Messages.request("1", "initialize", params), -32602, "1");
            talk.expectError(Messages.request("2", "tools/list", ""), -32600, "2");
        }
    }

    /** One write: the handshake is over before the next message is looked at, a cancel too. */
    @Test
    @Order(5)
    void isInitializedByTheFirstOfTwoHandshakesInOneWrite() throws Exception {
        String first = Messages.request("1", "initialize", Messages.initializeParams(version()));
        String second =
                Messages.request("2", "initialize", Messages.initializeParams("2024-11-05"));
        String list = Messages.request("3", "tools/list", "");
        List<JsonTree> answers = new ArrayList<>();
        String lines = first + "\n" + Messages.cancelled("1") + "\n" + second + "\n" + list;
        for (byte[] line : talk.answersTo(Talk.bytes(lines), 3)) {
            answers.add(StrictJson.parse(line));
        }
        assertThat(answers).hasSize(3);
        assertThat(of(answers, 1).at("result", "protocolVersion").text()).isEqualTo(version());
        assertThat(of(answers, 1).at("result", "serverInfo", "name").text())
                .isEqualTo(cell.endpoint().serverName());
        assertThat(of(answers, 2).at("error", "code").integer()).isEqualTo(-32600);
        assertThat(of(answers, 3).has("result")).isTrue();
    }

    @Test
    @Order(6)
    void keepsTheSessionWhateverIsSaidLater() throws Exception {
        String again = Messages.initializeParams("2024-11-05");
        for (int i = 0; i < 3; i++) {
            talk.expectError(Messages.request("1", "initialize", again), -32600, "1");
            talk.expectError(Messages.request("1", "initialize", "{}"), -32600, "1");
            talk.expectSilence(Messages.notification("notifications/initialized", ""));
            talk.expectResult(Messages.request("2", "tools/list", ""), "2");
            talk.expectResult(Messages.request("3", "tools/list", Messages.modernParams("")), "3");
            talk.expectResult(Messages.request("4", "ping", ""), "4");
        }
        if (cell.batches()) {
            String batch = "[" + Messages.request("1", "initialize", again) + "]";
            List<byte[]> answers = talk.answersTo(Talk.bytes(batch), 1);
            assertThat(StrictJson.parse(answers.getFirst()).at(0, "error", "code").integer())
                    .isEqualTo(-32600);
        }
    }

    private static JsonTree of(List<JsonTree> answers, int id) {
        return answers.stream()
                .filter(answer -> answer.at("id").integer() == id)
                .findFirst()
                .orElseThrow();
    }
}

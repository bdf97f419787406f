package dev.patchbay.front;

import static dev.patchbay.front.Conversation.MODERN;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;

class ListeningTest {
    private static final String LISTEN =
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"subscriptions/listen\","
                    + "\"params\":{\"notifications\":{\"toolsListChanged\":true},"
                    + MODERN
                    + "}}";

    private final EchoService service = new EchoService();

    @Test
    void endsWithTheConversationAndThatIsItsResult() throws IOException {
        var client = new Conversation(service);
        client.send(LISTEN);
        assertThat(client.next()).contains("notifications/subscriptions/acknowledged");
        client.close();
        assertThat(client.next())
                .contains("\"id\":9", "\"resultType\":\"complete\"", "subscriptionId\":9");
        client.end();
        assertThat(service.listeners).isEmpty();
    }
}

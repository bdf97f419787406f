package dev.patchbay.clients;

import static dev.patchbay.clients.InMemoryClient.MODERN;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;

class ListenRequestTest {
    private static final String LISTEN =
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"subscriptions/listen\","
                    + "\"params\":{\"notifications\":{\"toolsListChanged\":true},"
                    + MODERN
                    + "}}";

    private final EchoService service = new EchoService();

    @Test
    void listenRequestIsAnsweredWhenConnectionEnds() throws IOException {
        var client = new InMemoryClient(service);
        client.send(LISTEN);
        assertThat(client.next()).contains("notifications/subscriptions/acknowledged");
        client.close();
        assertThat(client.next())
                .contains("\"id\":9", "\"resultType\":\"complete\"", "subscriptionId\":9");
        client.closeAndExpectEnd();
        assertThat(service.listeners).isEmpty();
    }

    /** What was acknowledged holds from that moment on. */
    @Test
    void notifiesOfChangeRightAfterAcknowledgement() throws IOException {
        for (int i = 0; i < 300; i++) {
            var client = new InMemoryClient(service);
            client.send(LISTEN);
            assertThat(client.next()).contains("notifications/subscriptions/acknowledged");
            service.listeners.forEach(listener -> listener.listChanged("tools"));
            client.close();
            assertThat(client.next()).contains("notifications/tools/list_changed");
            assertThat(client.next()).contains("\"resultType\":\"complete\"");
            client.closeAndExpectEnd();
        }
    }
}

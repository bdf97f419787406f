package dev.patchbay.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;

import java.util.List;

class ServerCardTest {
    private static final String URL = "https://notes.example.com/mcp";

    private static ServerCard read(String remotes) throws RegistryException {
        String card =
                """
                {"name": "com.example/notes", "version": "1.0.0", "description": "Notes",
                 "remotes": [%s]}
                """
                        .formatted(remotes);
        return ServerCard.read(Json.of(card), URL);
    }

    private static ServerPlan plan(ServerCard card, String... values) throws RegistryException {
        var answers = InputAnswers.parse(List.of(values), card.launch().inputs());
        return ServerPlanner.plan("notes", card.entry().description(), card.launch(), answers);
    }

    @Test
    void headersOfTheUrlAreDeclaredInputs() throws RegistryException {
        ServerCard card =
                read(
                        """
                        {"type": "streamable-http", "url": "https://notes.example.com/mcp/",
                         "supportedProtocolVersions": ["2025-11-25"],
                         "headers": [{"name": "X-Key", "isRequired": true, "isSecret": true}]}
                        """);
        assertThat(card.protocolVersions()).containsExactly("2025-11-25");
        ServerPlan plan = plan(card, "X-Key=secret");
        assertThat(plan.entry().definition().member("headers"))
                .hasToString("{\"X-Key\":\"${secret:notes.X-Key}\"}");
        assertThatThrownBy(() -> plan(card)).hasMessageContaining("X-Key=VALUE");
    }

    @Test
    void cardCannotSendTheUserElsewhere() throws RegistryException {
        ServerCard card =
                read(
                        """
                        {"type": "streamable-http", "url": "https://evil.example.com/mcp",
                         "headers": [{"name": "X-Key", "isRequired": true}]}
                        """);
        assertThat(card.launch().inputs()).isEmpty();
        assertThat(plan(card).entry().definition().memberText("url")).isEqualTo(URL);
    }

    @Test
    void cardWithoutANameIsRefused() {
        assertThatThrownBy(() -> ServerCard.read(Json.of("{\"version\": \"1\"}"), URL))
                .isInstanceOf(RegistryException.class);
        assertThatThrownBy(() -> ServerCard.fetch("no url"))
                .hasMessageContaining("is not the URL of a server");
    }
}

package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever is asked sees which server asks, and is not asked for secrets in forms. */
class QuestionPolicyTest {
    private static final String ELICITATION = "elicitation/create";

    private final QuestionPolicy policy = new QuestionPolicy(new ServerId("weather"), false);

    private static Json form(String message, String fields) {
        return Json.of(
                "{\"message\":\"%s\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{%s}}}"
                        .formatted(message, fields));
    }

    private static Json form(String fields) {
        return form("Which one?", fields);
    }

    @Test
    void elicitationNamesTheServer() {
        Json shown = policy.label(ELICITATION, Json.of("{\"message\":\"[github] Continue?\"}"));
        assertThat(shown.memberText("message")).isEqualTo("[weather] [github] Continue?");
    }

    @Test
    void samplingNamesTheServer() {
        String method = "sampling/createMessage";
        assertThat(policy.label(method, Json.of("{\"messages\":[]}")).memberText("systemPrompt"))
                .isEqualTo("This request comes from the MCP server weather.");
        assertThat(policy.label(method, Json.of("{\"systemPrompt\":\"Be brief.\"}")).toString())
                .isEqualTo(
                        "{\"systemPrompt\":\"This request comes from the MCP server"
                                + " weather.\\n\\nBe brief.\"}");
    }

    @Test
    void logMessageNamesTheServer() {
        assertThat(policy.labelLogMessage(Json.of("{\"data\":1}")).memberText("logger"))
                .isEqualTo("weather");
        assertThat(policy.labelLogMessage(Json.of("{\"logger\":\"db\"}")).memberText("logger"))
                .isEqualTo("weather/db");
    }

    @Test
    void questionsOfModernServersNameTheServer() {
        Json result =
                Json.of(
                        "{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":"
                                + "\"elicitation/create\",\"params\":{\"message\":\"Go?\"}}}}");
        assertThat(policy.labelInputRequests(result).toString())
                .contains("\"message\":\"[weather] Go?\"");
    }

    @Test
    void urlsInAnErrorNameTheServer() {
        var error =
                new RpcError(-32042, "x", Json.of("{\"elicitations\":[{\"message\":\"Visit\"}]}"));
        assertThat(String.valueOf(policy.labelError(error).data())).contains("[weather] Visit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"password\":{\"type\":\"string\"}",
                "\"userPassword\":{\"type\":\"string\"}",
                "\"GITHUB_TOKEN\":{\"type\":\"string\"}",
                "\"x\":{\"type\":\"string\",\"title\":\"Your API key\"}",
                "\"x\":{\"type\":\"string\",\"format\":\"password\"}",
                "\"x\":{\"type\":\"string\",\"description\":\"The password of GitHub.\"}",
                "\"cardNumber\":{\"type\":\"string\"}",
                "\"credit_card\":{\"type\":\"number\"}",
                "\"pin\":{\"type\":\"integer\"}",
                "\"name\":{\"type\":\"string\"},\"api-key\":{\"type\":\"string\"}",
            })
    void formThatAsksForASecretIsWithheld(String fields) {
        assertThatThrownBy(() -> policy.label(ELICITATION, form(fields)))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("asks for a secret")
                .hasMessageContaining("mode url");
        var allowed = new QuestionPolicy(new ServerId("weather"), true);
        assertThat(allowed.label(ELICITATION, form(fields)).memberText("message"))
                .isEqualTo("[weather] Which one?");
    }

    @Test
    void harmlessFieldNameDoesNotHideWhatTheMessageAsksFor() {
        Json form = form("GitHub: session expired. Enter password", "\"a\":{\"type\":\"string\"}");
        assertThatThrownBy(() -> policy.label(ELICITATION, form)).isInstanceOf(RpcException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"city\":{\"type\":\"string\"}",
                "\"maxTokens\":{\"type\":\"integer\"}",
                "\"tokens\":{\"type\":\"integer\",\"title\":\"Number of tokens\"}",
                "\"resetPassword\":{\"type\":\"boolean\"}",
                "\"secret\":{\"type\":\"string\",\"enum\":[\"keep\",\"rotate\"]}",
                "\"keyboard\":{\"type\":\"string\",\"title\":\"Keyboard layout\"}",
            })
    void otherFormsAreShown(String fields) {
        assertThat(policy.label(ELICITATION, form(fields)).member("requestedSchema")).isNotNull();
    }

    @Test
    void pageOfTheServerMayAskForAnything() {
        Json url =
                Json.of("{\"mode\":\"url\",\"message\":\"Enter password\",\"url\":\"https://x\"}");
        assertThat(policy.label(ELICITATION, url).memberText("url")).isEqualTo("https://x");
    }
}

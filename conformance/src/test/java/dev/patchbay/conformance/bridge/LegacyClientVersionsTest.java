package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How later features reach clients of each legacy version: in a form that the version has, or
 * refused by name, with servers of both eras. The outcomes must match the table in {@code
 * docs/eras.md}; {@code -Dpatchbay.rewrite=true} rewrites it.
 */
class LegacyClientVersionsTest {
    private static final String CHECK_MARK = "✓";
    private static final String UNDECLARED = "refused: not declared";
    private static final String SAMPLING_PARAMS = "{\"messages\":[%s],\"maxTokens\":9%s}";

    /** The versions, each with the capabilities that its clients can declare. */
    private static final Map<String, String> CAPABILITIES_BY_VERSION = capabilitiesByVersion();

    private final FeatureTable observed =
            new FeatureTable("older clients", " ", List.copyOf(CAPABILITIES_BY_VERSION.keySet()));
    private final List<String> faults = new ArrayList<>();

    @TempDir private Path folder;

    private static Map<String, String> capabilitiesByVersion() {
        var declared = new LinkedHashMap<String, String>();
        declared.put("2024-11-05", "{\"sampling\":{},\"roots\":{}}");
        declared.put("2025-03-26", "{\"sampling\":{},\"roots\":{}}");
        declared.put("2025-06-18", "{\"sampling\":{},\"roots\":{},\"elicitation\":{}}");
        declared.put(
                "2025-11-25",
                "{\"sampling\":{\"tools\":{}},\"roots\":{},"
                        + "\"elicitation\":{\"form\":{},\"url\":{}}}");
        return declared;
    }

    /** A client of one version, and its server. */
    private record ClientCase(EraClient client, String version, String server) {
        /** The response to a call whose server sends this request, as text. */
        String callThatAsks(String method, String params) {
            String arguments = "{\"method\":\"%s\",\"params\":%s}".formatted(method, params);
            return client.requestWithInput(
                            "tools/call", ClientMessages.callParams(server + ".ask", arguments))
                    .write();
        }

        JsonTree callThatReturns(String result) {
            return client.call(server + ".reply", "{\"result\":" + result + "}");
        }

        boolean isBefore(String other) {
            return version.compareTo(other) < 0;
        }
    }

    /** Checks a feature and returns the outcome for the table. */
    private interface FeatureCheck {
        String run(ClientCase clientCase);
    }

    @Test
    void laterFeaturesAreDowngradedOrRefusedByName() throws Exception {
        try (BridgeFixture fixture =
                new BridgeFixture(folder)
                        .withServer("old", "legacy", false, it -> it.tools("ask", "reply"))
                        .withServer("new", "modern", false, it -> it.tools("ask", "reply"))) {
            for (var each : CAPABILITIES_BY_VERSION.entrySet()) {
                EraClient client =
                        fixture.newClient(false, true)
                                .withCapabilities(each.getValue())
                                .initialize(each.getKey());
                fixture.awaitListed(client);
                for (String server : List.of("old", "new")) {
                    checkAllFeatures(new ClientCase(client, each.getKey(), server));
                }
            }
        }
        assertThat(faults).isEmpty();
        observed.assertMatchesGuide();
    }

    private void checkAllFeatures(ClientCase clientCase) {
        recordOutcome(
                clientCase, "form: choices with titles", LegacyClientVersionsTest::enumTitles);
        recordOutcome(clientCase, "form: default values", LegacyClientVersionsTest::formDefaults);
        recordOutcome(
                clientCase, "form: multiple choice", LegacyClientVersionsTest::multipleChoice);
        recordOutcome(clientCase, "elicitation by URL", LegacyClientVersionsTest::urlElicitation);
        recordOutcome(
                clientCase, "sampling with tools", LegacyClientVersionsTest::samplingWithTools);
        recordOutcome(
                clientCase,
                "sampling: several content blocks in a message",
                LegacyClientVersionsTest::samplingContentBlocks);
        recordOutcome(clientCase, "results: audio", LegacyClientVersionsTest::audioContent);
        recordOutcome(
                clientCase, "results: links to resources", LegacyClientVersionsTest::resourceLink);
        recordOutcome(
                clientCase,
                "results: structured content alone",
                LegacyClientVersionsTest::structuredContent);
    }

    private void recordOutcome(ClientCase clientCase, String feature, FeatureCheck trial) {
        String outcome;
        try {
            outcome = trial.run(clientCase);
        } catch (RuntimeException | AssertionError e) {
            outcome = "✘";
            faults.add(
                    feature + ", " + clientCase.version() + ", " + clientCase.server() + ": " + e);
        }
        observed.recordOutcome(feature, clientCase.version(), outcome);
    }

    private static String enumTitles(ClientCase clientCase) {
        String fields =
                "{\"c\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"a\",\"title\":\"A\"},"
                        + "{\"const\":\"b\",\"title\":\"B\"}]}}";
        String plain =
                "{\"c\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"],\"enumNames\":[\"A\",\"B\"]}}";
        return elicitationForm(
                clientCase, fields, plain, CHECK_MARK + " as `enum` with `enumNames`");
    }

    private static String formDefaults(ClientCase clientCase) {
        String fields =
                "{\"s\":{\"type\":\"string\",\"default\":\"x\"},\"n\":{\"type\":\"number\","
                        + "\"default\":1},\"b\":{\"type\":\"boolean\",\"default\":true}}";
        String plain =
                "{\"s\":{\"type\":\"string\"},\"n\":{\"type\":\"number\"},"
                        + "\"b\":{\"type\":\"boolean\",\"default\":true}}";
        return elicitationForm(
                clientCase, fields, plain, CHECK_MARK + " booleans only, others without defaults");
    }

    private static String multipleChoice(ClientCase clientCase) {
        String fields =
                "{\"m\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\"]}}}";
        return elicitationForm(clientCase, fields, "", "refused by name");
    }

    /** Elicits a form; a client of 2025-06-18 must get the plain one, or none if it is empty. */
    private static String elicitationForm(
            ClientCase clientCase, String fields, String plain, String outcome) {
        int before = clientCase.client().serverRequests().size();
        String form =
                "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":%s}}"
                        .formatted(fields);
        String answer = clientCase.callThatAsks("elicitation/create", form);
        if (clientCase.isBefore("2025-06-18")) {
            return assertRefused(clientCase, before, answer.contains("elicitation"));
        }
        boolean older = clientCase.isBefore("2025-11-25");
        if (older && plain.isEmpty()) {
            assertThat(answer).contains("2025-06-18", "does not have a choice of several");
            assertThat(clientCase.client().serverRequests()).hasSize(before);
            return outcome;
        }
        assertThat(clientCase.client().serverRequests()).as(answer).hasSize(before + 1);
        assertThat(answer).contains("Ann");
        assertThat(lastServerRequestParams(clientCase).at("requestedSchema", "properties"))
                .isEqualTo(StrictJson.parse(older ? plain : fields));
        return older ? outcome : CHECK_MARK;
    }

    private static String urlElicitation(ClientCase clientCase) {
        int before = clientCase.client().serverRequests().size();
        String params = "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://example.com/\"}";
        String answer = clientCase.callThatAsks("elicitation/create", params);
        if (clientCase.isBefore("2025-11-25")) {
            return assertRefused(clientCase, before, answer.contains("elicitation"));
        }
        assertThat(lastServerRequestParams(clientCase).at("url").asText())
                .isEqualTo("https://example.com/");
        return CHECK_MARK;
    }

    private static String samplingWithTools(ClientCase clientCase) {
        int before = clientCase.client().serverRequests().size();
        String more = ",\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]";
        String message = "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"a\"}}";
        String answer =
                clientCase.callThatAsks(
                        "sampling/createMessage", SAMPLING_PARAMS.formatted(message, more));
        if (clientCase.isBefore("2025-11-25")) {
            return assertRefused(clientCase, before, answer.contains("sampling"));
        }
        assertThat(lastServerRequestParams(clientCase).at("tools", 0, "name").asText())
                .isEqualTo("t");
        return CHECK_MARK;
    }

    private static String samplingContentBlocks(ClientCase clientCase) {
        String one = "{\"type\":\"text\",\"text\":\"a\"}";
        String two = "{\"type\":\"text\",\"text\":\"b\"}";
        String message = "{\"role\":\"user\",\"content\":[" + one + "," + two + "]}";
        String answer =
                clientCase.callThatAsks(
                        "sampling/createMessage", SAMPLING_PARAMS.formatted(message, ""));
        assertThat(answer).contains("sampled");
        JsonTree messages = lastServerRequestParams(clientCase).at("messages");
        if (clientCase.isBefore("2025-11-25")) {
            String row = "{\"role\":\"user\",\"content\":%s}";
            assertThat(messages)
                    .isEqualTo(
                            StrictJson.parse(
                                    "[" + row.formatted(one) + "," + row.formatted(two) + "]"));
            return CHECK_MARK + " as several messages";
        }
        assertThat(messages).isEqualTo(StrictJson.parse("[" + message + "]"));
        return CHECK_MARK;
    }

    private static String audioContent(ClientCase clientCase) {
        String block = "{\"type\":\"audio\",\"data\":\"QUJD\",\"mimeType\":\"audio/wav\"}";
        return contentBlock(
                clientCase,
                block,
                clientCase.isBefore("2025-03-26"),
                it ->
                        it.at("type").asText().equals("resource")
                                && it.at("resource", "blob").asText().equals("QUJD")
                                && it.at("resource", "mimeType").asText().equals("audio/wav"),
                CHECK_MARK + " as an embedded resource");
    }

    private static String resourceLink(ClientCase clientCase) {
        String block = "{\"type\":\"resource_link\",\"uri\":\"test://r\",\"name\":\"rr\"}";
        return contentBlock(
                clientCase,
                block,
                clientCase.isBefore("2025-06-18"),
                it ->
                        it.at("type").asText().equals("text")
                                && it.at("text").asText().equals("rr: test://r"),
                CHECK_MARK + " as text");
    }

    private static String structuredContent(ClientCase clientCase) {
        JsonTree result =
                clientCase.callThatReturns("{\"content\":[],\"structuredContent\":{\"n\":1}}");
        assertThat(result.at("structuredContent", "n").asLong()).isEqualTo(1);
        if (clientCase.isBefore("2025-06-18")) {
            assertThat(result.at("content", 0, "text").asText()).isEqualTo("{\"n\":1}");
            return CHECK_MARK + " as text";
        }
        assertThat(result.at("content").write()).isEqualTo("[]");
        return CHECK_MARK;
    }

    /** Returns a content block; an older client must get one that matches the predicate. */
    private static String contentBlock(
            ClientCase clientCase,
            String block,
            boolean older,
            Predicate<JsonTree> fits,
            String outcome) {
        JsonTree seen =
                clientCase.callThatReturns("{\"content\":[" + block + "]}").at("content", 0);
        if (older) {
            assertThat(fits.test(seen)).as("%s", seen).isTrue();
            return outcome;
        }
        assertThat(seen).isEqualTo(StrictJson.parse(block));
        return CHECK_MARK;
    }

    private static String assertRefused(ClientCase clientCase, int before, boolean named) {
        assertThat(named).isTrue();
        assertThat(clientCase.client().serverRequests()).hasSize(before);
        return UNDECLARED;
    }

    private static JsonTree lastServerRequestParams(ClientCase clientCase) {
        return clientCase.client().serverRequests().getLast().at("params");
    }
}

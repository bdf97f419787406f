package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
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
 * What clients of each legacy version see of things that came later: said in their own words, or
 * refused by name, whatever the era of the server. The table in {@code docs/eras.md} is what was
 * seen here; {@code -Dpatchbay.rewrite=true} writes it anew.
 */
class OlderClientsTest {
    private static final String YES = "✓";
    private static final String UNDECLARED = "refused: not declared";
    private static final String TALK = "{\"messages\":[%s],\"maxTokens\":9%s}";

    /** The versions, each with what a client of it can declare. */
    private static final Map<String, String> DECLARED = declared();

    private final SeenTable seen =
            new SeenTable("older clients", " ", List.copyOf(DECLARED.keySet()));
    private final List<String> faults = new ArrayList<>();

    @TempDir private Path folder;

    private static Map<String, String> declared() {
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

    /** A client of one version, and the server that it uses. */
    private record Visit(EraClient client, String version, String server) {
        /** The whole answer to a call whose server asks this, as text. */
        String ask(String method, String params) {
            String arguments = "{\"method\":\"%s\",\"params\":%s}".formatted(method, params);
            return client.complete("tools/call", Messages.callParams(server + ".ask", arguments))
                    .write();
        }

        JsonTree reply(String result) {
            return client.call(server + ".reply", "{\"result\":" + result + "}");
        }

        boolean isBefore(String other) {
            return version.compareTo(other) < 0;
        }
    }

    /** What is tried of a feature; the outcome for the table. */
    private interface Trial {
        String in(Visit visit);
    }

    @Test
    void whatCameLaterIsSaidInOlderWordsOrRefusedByName() throws Exception {
        try (Site site =
                new Site(folder)
                        .server("old", "legacy", false, it -> it.tools("ask", "reply"))
                        .server("new", "modern", false, it -> it.tools("ask", "reply"))) {
            for (var each : DECLARED.entrySet()) {
                EraClient client =
                        site.stranger(false, true).declaring(each.getValue()).begin(each.getKey());
                site.awaitListed(client);
                for (String server : List.of("old", "new")) {
                    tryAll(new Visit(client, each.getKey(), server));
                }
            }
        }
        assertThat(faults).isEmpty();
        seen.assertInGuide();
    }

    private void tryAll(Visit visit) {
        note(visit, "a form: choices with titles", OlderClientsTest::titles);
        note(visit, "a form: values to begin with", OlderClientsTest::defaults);
        note(visit, "a form: a choice of several", OlderClientsTest::several);
        note(visit, "elicitation by URL", OlderClientsTest::url);
        note(visit, "sampling with tools", OlderClientsTest::tools);
        note(visit, "sampling: several blocks in a message", OlderClientsTest::blocks);
        note(visit, "results: sound", OlderClientsTest::audio);
        note(visit, "results: links to resources", OlderClientsTest::link);
        note(visit, "results: structured content alone", OlderClientsTest::structured);
    }

    private void note(Visit visit, String feature, Trial trial) {
        String outcome;
        try {
            outcome = trial.in(visit);
        } catch (RuntimeException | AssertionError e) {
            outcome = "✘";
            faults.add(feature + ", " + visit.version() + ", " + visit.server() + ": " + e);
        }
        seen.note(feature, visit.version(), outcome);
    }

    private static String titles(Visit visit) {
        String fields =
                "{\"c\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"a\",\"title\":\"A\"},"
                        + "{\"const\":\"b\",\"title\":\"B\"}]}}";
        String plain =
                "{\"c\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"],\"enumNames\":[\"A\",\"B\"]}}";
        return form(visit, fields, plain, YES + " as `enum` with `enumNames`");
    }

    private static String defaults(Visit visit) {
        String fields =
                "{\"s\":{\"type\":\"string\",\"default\":\"x\"},\"n\":{\"type\":\"number\","
                        + "\"default\":1},\"b\":{\"type\":\"boolean\",\"default\":true}}";
        String plain =
                "{\"s\":{\"type\":\"string\"},\"n\":{\"type\":\"number\"},"
                        + "\"b\":{\"type\":\"boolean\",\"default\":true}}";
        return form(visit, fields, plain, YES + " without them, but for yes or no");
    }

    private static String several(Visit visit) {
        String fields =
                "{\"m\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\"]}}}";
        return form(visit, fields, "", "refused by name");
    }

    /** Asks for a form; a client of 2025-06-18 must see the plain one, or none if that is empty. */
    private static String form(Visit visit, String fields, String plain, String outcome) {
        int before = visit.client().questions().size();
        String form =
                "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":%s}}"
                        .formatted(fields);
        String answer = visit.ask("elicitation/create", form);
        if (visit.isBefore("2025-06-18")) {
            return refused(visit, before, answer.contains("elicitation"));
        }
        boolean older = visit.isBefore("2025-11-25");
        if (older && plain.isEmpty()) {
            assertThat(answer).contains("2025-06-18", "does not have a choice of several");
            assertThat(visit.client().questions()).hasSize(before);
            return outcome;
        }
        assertThat(visit.client().questions()).as(answer).hasSize(before + 1);
        assertThat(answer).contains("Ann");
        assertThat(lastAsked(visit).at("requestedSchema", "properties"))
                .isEqualTo(StrictJson.parse(older ? plain : fields));
        return older ? outcome : YES;
    }

    private static String url(Visit visit) {
        int before = visit.client().questions().size();
        String params = "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://example.com/\"}";
        String answer = visit.ask("elicitation/create", params);
        if (visit.isBefore("2025-11-25")) {
            return refused(visit, before, answer.contains("elicitation"));
        }
        assertThat(lastAsked(visit).at("url").text()).isEqualTo("https://example.com/");
        return YES;
    }

    private static String tools(Visit visit) {
        int before = visit.client().questions().size();
        String more = ",\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]";
        String message = "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"a\"}}";
        String answer = visit.ask("sampling/createMessage", TALK.formatted(message, more));
        if (visit.isBefore("2025-11-25")) {
            return refused(visit, before, answer.contains("sampling"));
        }
        assertThat(lastAsked(visit).at("tools", 0, "name").text()).isEqualTo("t");
        return YES;
    }

    private static String blocks(Visit visit) {
        String one = "{\"type\":\"text\",\"text\":\"a\"}";
        String two = "{\"type\":\"text\",\"text\":\"b\"}";
        String message = "{\"role\":\"user\",\"content\":[" + one + "," + two + "]}";
        String answer = visit.ask("sampling/createMessage", TALK.formatted(message, ""));
        assertThat(answer).contains("sampled");
        JsonTree messages = lastAsked(visit).at("messages");
        if (visit.isBefore("2025-11-25")) {
            String row = "{\"role\":\"user\",\"content\":%s}";
            assertThat(messages)
                    .isEqualTo(
                            StrictJson.parse(
                                    "[" + row.formatted(one) + "," + row.formatted(two) + "]"));
            return YES + " as several messages";
        }
        assertThat(messages).isEqualTo(StrictJson.parse("[" + message + "]"));
        return YES;
    }

    private static String audio(Visit visit) {
        String block = "{\"type\":\"audio\",\"data\":\"QUJD\",\"mimeType\":\"audio/wav\"}";
        return content(
                visit,
                block,
                visit.isBefore("2025-03-26"),
                it ->
                        it.at("type").text().equals("resource")
                                && it.at("resource", "blob").text().equals("QUJD")
                                && it.at("resource", "mimeType").text().equals("audio/wav"),
                YES + " as an embedded resource");
    }

    private static String link(Visit visit) {
        String block = "{\"type\":\"resource_link\",\"uri\":\"test://r\",\"name\":\"rr\"}";
        return content(
                visit,
                block,
                visit.isBefore("2025-06-18"),
                it ->
                        it.at("type").text().equals("text")
                                && it.at("text").text().equals("rr: test://r"),
                YES + " as text");
    }

    private static String structured(Visit visit) {
        JsonTree result = visit.reply("{\"content\":[],\"structuredContent\":{\"n\":1}}");
        assertThat(result.at("structuredContent", "n").integer()).isEqualTo(1);
        if (visit.isBefore("2025-06-18")) {
            assertThat(result.at("content", 0, "text").text()).isEqualTo("{\"n\":1}");
            return YES + " as text";
        }
        assertThat(result.at("content").write()).isEqualTo("[]");
        return YES;
    }

    /** Has a block come in a result; an older client must see it as it is said to fit. */
    private static String content(
            Visit visit, String block, boolean older, Predicate<JsonTree> fits, String outcome) {
        JsonTree seen = visit.reply("{\"content\":[" + block + "]}").at("content", 0);
        if (older) {
            assertThat(fits.test(seen)).as("%s", seen).isTrue();
            return outcome;
        }
        assertThat(seen).isEqualTo(StrictJson.parse(block));
        return YES;
    }

    private static String refused(Visit visit, int before, boolean named) {
        assertThat(named).isTrue();
        assertThat(visit.client().questions()).hasSize(before);
        return UNDECLARED;
    }

    private static JsonTree lastAsked(Visit visit) {
        return visit.client().questions().getLast().at("params");
    }
}

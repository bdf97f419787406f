package dev.patchbay.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What is remembered of a text's large values never changes what is found in it. */
class LargeValueIndexTest {
    private static final int DEPTH_MAX = 20;

    @RepeatedTest(300)
    void findsTheSameValuesAsFullScan(RepetitionInfo run) throws JsonException {
        var random = new Random(run.getCurrentRepetition());
        Json text = Json.of(value(random, 0));
        assertThat(parts(text)).isEqualTo(parts(withoutIndex(text)));
    }

    @RepeatedTest(300)
    void findsTheSameValuesAfterPatching(RepetitionInfo run) {
        var random = new Random(run.getCurrentRepetition());
        Json part = Json.of("[" + object(random, 0) + "," + object(random, 0) + "]");
        Json text = part.elements().get(random.nextInt(2));
        for (int i = 0; i < 4; i++) {
            String name = "m" + random.nextInt(6);
            text =
                    random.nextBoolean()
                            ? MemberPatch.with(text, name, Json.of(value(random, 15)))
                            : MemberPatch.without(text, name);
            assertThat(parts(text)).isEqualTo(parts(withoutIndex(text)));
        }
    }

    @RepeatedTest(300)
    void findsTheSameValuesInWrittenText(RepetitionInfo run) {
        var random = new Random(run.getCurrentRepetition());
        var writer = new JsonWriter().beginObject();
        for (int i = random.nextInt(30); i >= 0; i--) {
            writer.member("m" + i, Json.of(value(random, 15)));
        }
        Json text = writer.endObject().toJson();
        assertThat(parts(text)).isEqualTo(parts(withoutIndex(text)));
    }

    /** The same text, of which nothing is remembered. */
    private static Json withoutIndex(Json text) {
        return new Json(text.toBytes(), 0, text.length());
    }

    /** Every value inside, as written, in the order in which a walk finds them. */
    private static List<String> parts(Json value) {
        var parts = new ArrayList<String>();
        collect(value, parts);
        return parts;
    }

    private static void collect(Json value, List<String> parts) {
        parts.add(value.toString());
        if (value.isObject()) {
            value.members().forEach(member -> collect(member.value(), parts));
        } else if (value.isArray()) {
            value.elements().forEach(element -> collect(element, parts));
        }
    }

    private static String value(Random random, int depth) {
        return switch (depth > DEPTH_MAX ? 0 : random.nextInt(5)) {
            case 0 -> '"' + "x\\\"é".repeat(random.nextInt(400)) + '"';
            case 1 -> Integer.toString(random.nextInt());
            case 2 -> array(random, depth);
            default -> object(random, depth);
        };
    }

    private static String array(Random random, int depth) {
        var elements = new ArrayList<String>();
        for (int i = random.nextInt(4); i > 0; i--) {
            elements.add(value(random, depth + 1));
        }
        return "[ " + String.join(" , ", elements) + "]";
    }

    private static String object(Random random, int depth) {
        var members = new ArrayList<String>();
        for (int i = random.nextInt(4); i > 0; i--) {
            members.add("\"m" + i + "\" : " + value(random, depth + 1));
        }
        return "{" + String.join(",", members) + " }";
    }
}

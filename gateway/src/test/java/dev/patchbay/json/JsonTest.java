package dev.patchbay.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

class JsonTest {
    private static final Json SAMPLE =
            Json.of(
                    """
                    {"a": [1, "two", {"three":3.00}], "b\\u0063":null, "d":"x\\"y\\\\",
                     "n":-42, "big":18446744073709551617, "é":true}\
                    """);

    @Test
    void findsMembersByNameInAnySpelling() {
        assertThat(SAMPLE.member("bc")).isEqualTo(Json.NULL);
        assertThat(SAMPLE.member("é")).isEqualTo(Json.TRUE);
        assertThat(SAMPLE.member("b")).isNull();
        assertThat(SAMPLE.memberText("d")).isEqualTo("x\"y\\");
    }

    @Test
    void keepsValuesAsWritten() {
        assertThat(SAMPLE.member("a")).hasToString("[1,\"two\",{\"three\":3.00}]");
        assertThat(SAMPLE.member("big")).hasToString("18446744073709551617");
        assertThat(SAMPLE.members())
                .extracting(Json.Member::name)
                .containsExactly("a", "bc", "d", "n", "big", "é");
    }

    @Test
    void readsNumbersThatFitLong() {
        assertThat(Json.of("-42").asLong(0)).isEqualTo(-42);
        assertThat(Json.of("1.0").asLong(7)).isEqualTo(7);
        assertThat(Json.of("18446744073709551617").asLong(7)).isEqualTo(7);
        assertThat(Json.of("9223372036854775807").asLong(7)).isEqualTo(Long.MAX_VALUE);
        assertThat(Json.of("9223372036854775808").asLong(7)).isEqualTo(7);
        assertThat(Json.of("9999999999999999999").asLong(7)).isEqualTo(7);
        assertThat(Json.of("\"5\"").asLong(7)).isEqualTo(7);
    }

    @Test
    void writesStringsAsOneLineOfAscii() throws JsonException {
        String nasty = "\u0000\n\r\t\u2028\u0085\"\\/\ud800😀é</script>\uFEFF\u007f";
        Json written = Json.string(nasty);
        assertThat(written.toString()).matches("[ -~]*");
        assertThat(Json.parse(written.toBytes()).text()).isEqualTo(nasty);
    }

    @Test
    void writesLargeValuesWithoutCopying() {
        Json large = Json.string("x".repeat(10_000));
        EncodedJson text =
                new JsonWriter()
                        .beginObject()
                        .member("a", 1)
                        .member("large", large)
                        .name("rest")
                        .beginArray()
                        .value(large)
                        .value(Json.TRUE)
                        .endArray()
                        .endObject()
                        .toEncodedJson();
        String expected = "{\"a\":1,\"large\":" + large + ",\"rest\":[" + large + ",true]}";
        assertThat(new String(text.toBytes(), StandardCharsets.US_ASCII)).isEqualTo(expected);
        assertThat(text.length()).isEqualTo(expected.length());
    }

    @Test
    void findsMembersInChunkedText() {
        byte[] text =
                """
                {"x":{"id":1,"y":["\\"id\\":2"]},"method":"m","params":[[[[ , "id" : "a\\"b" ,"z":\
                """
                        .getBytes(StandardCharsets.UTF_8);
        for (int cut = 1; cut < text.length; cut++) {
            var finder = new MemberFinder(Set.of("id", "method", "result"));
            for (int from = 0; from < text.length; from += cut) {
                finder.accept(text, from, Math.min(text.length, from + cut));
            }
            assertThat(finder.value("method")).as("cut %d", cut).hasToString("\"m\"");
            assertThat(finder.has("result")).isFalse();
        }
    }

    @Test
    void findsIdAtEndOfLargeText() {
        var finder = new MemberFinder(Set.of("id"));
        for (String piece :
                List.of("{\"method\":\"m\",\"params\":{\"a\":\"", "x".repeat(100_000), "\"},\"i")) {
            finder.accept(piece.getBytes(StandardCharsets.UTF_8), 0, piece.length());
        }
        finder.accept("d\" : 12 }".getBytes(StandardCharsets.UTF_8), 0, 9);
        assertThat(finder.value("id")).hasToString("12");
    }

    @Test
    void ignoresValueOfDuplicateMember() {
        var finder = new MemberFinder(Set.of("id"));
        byte[] text = "{\"id\":1,\"id\":2}".getBytes(StandardCharsets.UTF_8);
        finder.accept(text, 0, text.length);
        assertThat(finder.has("id")).isTrue();
        assertThat(finder.value("id")).isNull();
    }

    @Test
    void findsSameMembersInEveryLookup() {
        for (int count = 0; count <= 40; count++) {
            var text = new StringBuilder("{");
            for (int i = 0; i < count; i++) {
                String name = i % 3 == 0 ? "\\u006d" + i : "m" + i; // an escaped m
                text.append(i == 0 ? "" : " , ").append("\"%s\" : {\"v\":%d}".formatted(name, i));
            }
            Json object = Json.of(text + "}");
            for (int lookup = 0; lookup < 4; lookup++) {
                for (int i = 0; i < count; i++) {
                    assertThat(object.member("m" + i))
                            .as("member %d of %d, lookup %d", i, count, lookup)
                            .hasToString("{\"v\":%d}".formatted(i));
                }
                assertThat(object.member("m")).isNull();
                assertThat(object.member("m" + count)).isNull();
            }
        }
    }
}

package dev.patchbay.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemberPatchTest {
    private static final Json ONE = Json.of("1");

    @Test
    void replacesValueAndKeepsEveryOtherByte() {
        Json object = Json.of("{ \"a\" :1.10 , \"na\\u006de\": \"x\" ,\"z\":\"\\u00e9é\" }");
        assertThat(MemberPatch.with(object, "name", Json.string("y")))
                .hasToString("{ \"a\" :1.10 , \"na\\u006de\": \"y\" ,\"z\":\"\\u00e9é\" }");
    }

    @Test
    void addsMemberAtTheEnd() {
        assertThat(MemberPatch.with(Json.of("{}"), "b", ONE)).hasToString("{\"b\":1}");
        assertThat(MemberPatch.with(Json.of("{ \"a\":[1,2] }"), "b", ONE))
                .hasToString("{ \"a\":[1,2],\"b\":1 }");
    }

    @Test
    void ignoresNestedObjects() {
        assertThat(MemberPatch.with(Json.of("{\"a\":{\"b\":2}}"), "b", ONE))
                .hasToString("{\"a\":{\"b\":2},\"b\":1}");
    }

    @Test
    void worksOnPartOfLargerText() {
        Json part = Json.of("[{\"a\":1},{\"b\":2}]").elements().get(1);
        assertThat(MemberPatch.with(part, "b", Json.of("3"))).hasToString("{\"b\":3}");
        assertThat(MemberPatch.without(part, "b")).hasToString("{}");
    }

    @Test
    void removesMemberWithItsComma() {
        Json object = Json.of("{\"a\":1 , \"b\":2,\"c\":3}");
        assertThat(MemberPatch.without(object, "a")).isEqualTo(Json.of("{ \"b\":2,\"c\":3}"));
        assertThat(MemberPatch.without(object, "b")).isEqualTo(Json.of("{\"a\":1,\"c\":3}"));
        assertThat(MemberPatch.without(object, "c")).isEqualTo(Json.of("{\"a\":1 , \"b\":2}"));
        assertThat(MemberPatch.without(object, "d")).isEqualTo(object);
    }
}

package dev.patchbay.config.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Finding;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The part of YAML that is understood, and what is refused. */
class YamlParserTest {
    /** Texts, with / for the end of a line, and the value of a as JSON. */
    static final List<String> VALUES =
            List.of(
                    "a: 1 => 1",
                    "a: -1.5e3 => -1.5e3",
                    "a: 007 => \"007\"",
                    "a: true => true",
                    "a: False => false",
                    "a: yes => \"yes\"",
                    "a: => null",
                    "a: ~ # nothing => null",
                    "a: plain text # comment => \"plain text\"",
                    "a: a#b:c => \"a#b:c\"",
                    "a: 'it''s' => \"it's\"",
                    "a: \"x\\ty\\u00e4\\x21\" => \"x\\ty\\u00e4!\"",
                    "a: \"b: c\" => \"b: c\"",
                    "a: mailto:x@y.example => \"mailto:x@y.example\"",
                    "a: [1, two, 'three', [], {}] => [1,\"two\",\"three\",[],{}]",
                    "a: {b: 1, \"c\":2, 'd e': [x]} => {\"b\":1,\"c\":2,\"d e\":[\"x\"]}",
                    "a: [b,/  c, # d/  e]/ => [\"b\",\"c\",\"e\"]",
                    "a:/  b: c/  d: e => {\"b\":\"c\",\"d\":\"e\"}",
                    "a:/- b/- c => [\"b\",\"c\"]",
                    "a:/  - b/  - c => [\"b\",\"c\"]",
                    "a:/  - b: 1/    c: 2/  - b: 3 => [{\"b\":1,\"c\":2},{\"b\":3}]",
                    "a:/  -/    b: 1 => [{\"b\":1}]",
                    "a:/  b:/  - c/  d: 1 => {\"b\":[\"c\"],\"d\":1}",
                    "a: one/  two/z: 1 => \"one two\"",
                    "a: \"one/  two\" => \"one two\"",
                    "a: |/  b: c/   d//  e/ => \"b: c\\n d\\n\\ne\\n\"",
                    "a: >-/  b/  c/ => \"b c\"",
                    "a:/  b: |-/    # c/  d: 1 => {\"b\":\"# c\",\"d\":1}",
                    "---/# c//a: 1/ => 1",
                    "\"a\": 1 => 1",
                    "z: &x {b: *y}/a: 1 => 1",
                    "z:/  ? b/  : c/a: 1/y: !tag z => 1",
                    "z: |/  a: 2/a: 1 => 1",
                    "z: [/  1/]/a: 1 => 1");

    @ParameterizedTest
    @FieldSource("VALUES")
    void parsesWantedMember(String row) {
        String text = row.substring(0, row.indexOf(" => "));
        String value = row.substring(row.indexOf(" => ") + 4);
        assertThat(parse(text.replace('/', '\n'))).isEqualTo(value);
        assertThat(parse("\uFEFF" + text.replace("/", "\r\n"))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: &b c",
                "a: *b",
                "a: !!str b",
                "a: @b",
                "a:/  <<: b",
                "a:/  ? b/  : c",
                "a:/  - - b",
                "a: b: c",
                "a: [b",
                "a: {b}",
                "a: \"b",
                "a: 'b' c",
                "a: |2/   b",
                "a:/  b: 1/   c: 2",
                "a:/   b: 1/  c: 2",
                "a:/\tb: 1",
                "a: 1/a: 2",
                "a: 1/---/b: 2",
                "a: 1/.../",
                "%YAML 1.2/---/a: 1",
                "- a",
                "  a: 1",
                "just text",
                "{a: 1}",
                "[1]",
            })
    void refusesWhatItDoesNotUnderstand(String text) {
        var faults = new ArrayList<Finding>();
        assertThat(YamlParser.parse(text.replace('/', '\n'), Set.of("a"), faults)).isNull();
        assertThat(faults).singleElement().matches(Finding::isError);
    }

    @Test
    void refusesDeepNesting() {
        assertThat(parse("a: " + "[".repeat(1000) + "]".repeat(1000))).isEqualTo("refused");
        var text = new StringBuilder("a:\n");
        for (int i = 1; i < 200; i++) {
            text.append(" ".repeat(i)).append("b:\n");
        }
        assertThat(parse(text.toString())).isEqualTo("refused");
    }

    @Test
    void knowsWhereValuesAre() {
        var text = "z: 1\na:\n  b:\n    c: d # e\n  f: 1\n";
        var root = YamlParser.parse(text, Set.of("a"), new ArrayList<>());
        var member = root.object("a").member("b");
        assertThat(text.substring(member.name().from(), member.value().to()))
                .isEqualTo("b:\n    c: d");
    }

    private static String parse(String text) {
        var faults = new ArrayList<Finding>();
        var root = YamlParser.parse(text, Set.of("a"), faults);
        return root == null ? "refused" : String.valueOf(SyntaxNodeJson.toJson(root.value("a")));
    }
}

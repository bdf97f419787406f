package dev.patchbay.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.app.cli.SchemaTable.Row;
import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;

class SchemaTableTest {
    @Test
    void listsNestedPropertiesWithTypesAndLimits() {
        Json schema =
                Json.of(
                        """
                        {"type":"object","required":["query"],"properties":{
                          "query":{"type":"string","description":"What to find.","minLength":2},
                          "sort":{"enum":["up","down"],"default":"up"},
                          "tags":{"type":"array","items":{"type":["string","null"]}},
                          "page":{"$ref":"#/$defs/page"},
                          "any":{},
                          "rows":{"type":"array","items":{"type":"object","properties":{
                            "id":{"type":"integer","minimum":1,"maximum":9}},"required":["id"]}}},
                         "$defs":{"page":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}
                        """);
        assertThat(SchemaTable.rows(schema))
                .containsExactly(
                        new Row("query", "string", true, "What to find. (characters at least 2)"),
                        new Row("sort", "up|down", false, "(default up)"),
                        new Row("tags", "(string|null)[]", false, ""),
                        new Row("page", "integer|null", false, ""),
                        new Row("any", "any", false, ""),
                        new Row("rows", "object[]", false, ""),
                        new Row("rows[].id", "integer", true, "(at least 1, at most 9)"));
    }

    @Test
    void endsOnSchemasThatContainThemselves() {
        Json schema =
                Json.of(
                        """
                        {"type":"object","properties":{"next":{"$ref":"#"},
                          "loop":{"$ref":"#/properties/loop"},"gone":{"$ref":"#/$defs/absent"}}}
                        """);
        assertThat(SchemaTable.rows(schema)).hasSizeLessThanOrEqualTo(200).hasSizeGreaterThan(2);
    }
}

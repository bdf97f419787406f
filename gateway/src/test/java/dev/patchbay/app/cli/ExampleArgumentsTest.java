package dev.patchbay.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.schema.CompilationResult;
import dev.patchbay.schema.InputSchema;
import dev.patchbay.schema.ValidationResult;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

class ExampleArgumentsTest {
    private static final String SIMPLE =
            """
            {"type":"object","required":["path"],"properties":{
              "path":{"type":"string"},"head":{"type":"integer"}}}
            """;

    /** One schema per line, with single quotes. */
    private static final String SCHEMAS =
            """
            {}
            {'minProperties':1,'properties':{'a':{'type':'string'}}}
            {'required':['a'],'additionalProperties':{'type':'number'}}
            {'required':['x']}
            {'required':['a'],'properties':{'a':{'$ref':'#/$defs/A'}},'$defs':{'A':\
            {'type':'object','required':['b'],'properties':{'b':{'type':'boolean'}}}}}
            {'required':['a'],'properties':{'a':{'anyOf':[{'type':'null'},\
            {'type':'integer','exclusiveMinimum':10}]}}}
            {'required':['a'],'properties':{'a':{'type':['null','number'],'exclusiveMaximum':0}}}
            {'required':['a'],'properties':{'a':{'type':'string','minLength':20,'maxLength':22}}}
            {'required':['a'],'properties':{'a':{'type':'string',\
            'pattern':'^[0-9]{4}-[0-9]{2}-[0-9]{2}$'}}}
            {'required':['a'],'properties':{'a':{'pattern':'^[a-z0-9-]+/[a-z0-9-]+$'}}}
            {'required':['a'],'properties':{'a':{'type':'integer','multipleOf':7,'minimum':2}}}
            {'required':['a'],'properties':{'a':{'type':'array','minItems':3,\
            'items':{'enum':[1]}}}}
            {'required':['a'],'properties':{'a':{'type':'array',\
            'prefixItems':[{'type':'string'},{'type':'integer'}],'items':false}}}
            {'properties':{'a':{'type':'string'},'b':{'type':'string'}},\
            'oneOf':[{'required':['a']},{'required':['b']}]}
            {'allOf':[{'required':['a'],'properties':{'a':{'type':'string','format':'uuid'}}}]}
            {'required':['a'],'properties':{'a':{'type':'object','oneOf':[{'properties':\
            {'k':{'const':'x'},'v':{'type':'integer'}},'required':['k','v']},\
            {'required':['z']}]}}}
            {'required':['n'],'properties':{'n':{'$ref':'#/$defs/N'}},'$defs':{'N':\
            {'type':'object','properties':{'next':{'$ref':'#/$defs/N'}}}}}
            """;

    static Stream<String> schemas() {
        return SCHEMAS.replace('\'', '"').lines();
    }

    private static String command(String schema) {
        Json json = Json.of(schema);
        Json example = ExampleArguments.of(json);
        assertThat(example).isNotNull();
        return ExampleArguments.command("s.t", example, json);
    }

    @Test
    void showsRequiredArgumentsOnly() {
        assertThat(command(SIMPLE)).isEqualTo("patchbay call s.t path=/tmp/example.txt");
        assertThat(command("{\"type\":\"object\"}")).isEqualTo("patchbay call s.t");
    }

    @Test
    void prefersValuesThatTheSchemaNames() {
        assertThat(
                        command(
                                """
                                {"type":"object","required":["a","b","c","d"],"properties":{
                                  "a":{"enum":["asc","desc"]},"b":{"const":7},
                                  "c":{"type":"string","examples":["it's"]},
                                  "d":{"type":"integer","default":20}}}
                                """))
                .isEqualTo(
                        "patchbay call s.t --args"
                                + " '{\"a\":\"asc\",\"b\":7,\"c\":\"it'\\''s\",\"d\":20}'");
    }

    @Test
    void writesNumbersAndListsAsPairs() {
        assertThat(
                        command(
                                """
                                {"type":"object","required":["n","ids"],"properties":{
                                  "n":{"type":"integer","minimum":5},
                                  "ids":{"type":"array","items":{"type":"integer"}}}}
                                """))
                .isEqualTo("patchbay call s.t n=5 'ids=[1]'");
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void everyExampleIsValid(String text) {
        Json schema = Json.of(text);
        Json example = ExampleArguments.of(schema);

        assertThat(example).as(text).isNotNull();
        var compiled = ((CompilationResult.Compiled) InputSchema.compile(schema)).schema();
        assertThat(compiled.validate(example)).isInstanceOf(ValidationResult.Valid.class);
    }

    @Test
    void makesNoExampleRatherThanAnInvalidOne() {
        assertThat(
                        ExampleArguments.of(
                                Json.of(
                                        """
                                        {"type":"object","required":["a"],"properties":{
                                          "a":{"type":"string","pattern":"^QQ[0-9]{9}ZZ$"}}}
                                        """)))
                .isNull();
    }

    @Test
    void handlesLargeExponents() {
        String schema =
                "{\"required\":[\"a\"],\"properties\":{\"a\":{\"minimum\":1e999999,"
                        + "\"type\":\"integer\"}}}";
        assertThat(ExampleArguments.of(Json.of(schema))).hasToString("{\"a\":1e999999}");
    }
}

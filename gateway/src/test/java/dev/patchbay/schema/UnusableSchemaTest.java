package dev.patchbay.schema;

import static dev.patchbay.schema.TestSchemas.compileError;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A schema that is not one is refused with the place and the reason. */
class UnusableSchemaTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "5 | the schema: must be a schema, which is an object or a boolean",
                "[] | the schema: must be a schema, which is an object or a boolean",
                "{\"type\":\"strng\"} | /type: \"strng\" is no type",
                "{\"type\":[]} | /type: must be the name of a type or a list of names",
                "{\"type\":[\"null\",\"null\"]} | /type/1: must not occur twice",
                "{\"properties\":{\"a\":{\"type\":\"any\"}}} | /properties/a/type: \"any\" is no"
                        + " type",
                "{\"properties\":[]} | /properties: must be an object",
                "{\"properties\":{\"a\":null}} | /properties/a: must be a schema",
                "{\"required\":true} | /required: must be an array",
                "{\"required\":[\"a\",\"a\"]} | /required/1: must not occur twice",
                "{\"enum\":{}} | /enum: must be an array",
                "{\"minLength\":-1} | /minLength: must be a non-negative integer",
                "{\"maxItems\":1.5} | /maxItems: must be a non-negative integer",
                "{\"minimum\":\"1\"} | /minimum: must be a number",
                "{\"multipleOf\":0} | /multipleOf: must be more than 0",
                "{\"exclusiveMinimum\":true} | /exclusiveMinimum: must be a number",
                "{\"allOf\":[]} | /allOf: must not be empty",
                "{\"items\":[{}]} | /items: must be a schema",
                "{\"pattern\":\"[\"} | /pattern: \"[\" has a [ without its ]",
                "{\"patternProperties\":{\"*\":{}}} | /patternProperties/*: \"*\" repeats nothing",
                "{\"description\":5} | /description: must be a string",
                "{\"$anchor\":\"1\"} | /$anchor: \"1\" is not a valid anchor name",
                "{\"$id\":\"#a\"} | /$id: must not have a fragment",
                "{\"$schema\":5} | /$schema: must be a string",
                "{\"$ref\":5} | /$ref: must be a string",
                "{\"$defs\":{\"unused\":{\"not\":1}}} | /$defs/unused/not: must be a schema",
            })
    void reportsLocationAndReason(String schema, String reason) {
        assertThat(compileError(schema)).startsWith(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://json-schema.org/draft/2020-12/schema",
                "https://json-schema.org/draft/2020-12/schema#",
                "http://json-schema.org/draft-07/schema#",
                "http://json-schema.org/draft-07/schema",
                "https://json-schema.org/draft-07/schema#",
                "https://json-schema.org/draft/2019-09/schema",
                "http://json-schema.org/draft-06/schema#",
            })
    void acceptsSupportedDialects(String dialect) {
        assertThat(compileError("{\"$schema\":\"" + dialect + "\",\"type\":\"object\"}")).isEmpty();
    }

    @Test
    void reportsUnsupportedDialect() {
        assertThat(compileError("{\"$schema\":\"http://json-schema.org/draft-03/schema#\"}"))
                .isEqualTo(
                        "/$schema: the dialect \"http://json-schema.org/draft-03/schema#\" is not"
                                + " supported; 2020-12, 2019-09, draft-07 and draft-06 are");
    }

    @Test
    void ignoresUnknownKeywords() {
        assertThat(compileError("{\"x-order\":1,\"nullable\":true,\"discriminator\":{\"a\":1}}"))
                .isEmpty();
    }

    @Test
    void fileUriIsOnlyAnIdentifier() {
        assertThat(compileError("{\"$id\":\"file:///etc/passwd\",\"type\":\"object\"}")).isEmpty();
    }
}

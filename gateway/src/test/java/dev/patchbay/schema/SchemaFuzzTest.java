package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.patchbay.json.Json;
import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.regex.Regex;
import dev.patchbay.schema.regex.RegexSyntaxException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

/** Compiling and checking end with a result for any JSON, and patterns for any text. */
class SchemaFuzzTest {
    private static final long SEED = 20_261_115;
    private static final int CASES = 20_000;
    private static final List<String> KEYWORDS =
            List.of(
                    "$id",
                    "$ref",
                    "$anchor",
                    "$dynamicRef",
                    "$dynamicAnchor",
                    "$defs",
                    "$schema",
                    "allOf",
                    "anyOf",
                    "oneOf",
                    "not",
                    "if",
                    "then",
                    "else",
                    "properties",
                    "items",
                    "patternProperties",
                    "additionalProperties",
                    "propertyNames",
                    "prefixItems",
                    "contains",
                    "minContains",
                    "unevaluatedItems",
                    "unevaluatedProperties",
                    "type",
                    "dependentSchemas",
                    "dependencies",
                    "enum",
                    "const",
                    "pattern",
                    "multipleOf",
                    "minimum",
                    "maxLength",
                    "required",
                    "uniqueItems",
                    "definitions",
                    "a",
                    "b");
    private static final List<String> TEXTS =
            List.of(
                    "#",
                    "#a",
                    "#/$defs/a",
                    "#/allOf/0",
                    "#/properties/a",
                    "a",
                    "b",
                    "string",
                    "object",
                    "array",
                    "^a+$",
                    "http://json-schema.org/draft-07/schema#",
                    "http://h/x",
                    "");

    @Test
    void anyJsonIsCompiledOrRejected() {
        int compiled = 0;
        for (int i = 0; i < CASES; i++) {
            var random = new Random(SEED + i);
            Json schema = Json.of(randomJson(random, 5));
            Json arguments = Json.of(randomJson(random, 3));
            try {
                if (InputSchema.compile(schema) instanceof Compiled(InputSchema usable)) {
                    compiled++;
                    assertThat(usable.validate(arguments)).isNotNull();
                }
            } catch (RuntimeException | Error e) {
                fail("seed " + (SEED + i) + ": " + schema + " with " + arguments, e);
            }
        }
        assertThat(compiled).isGreaterThan(CASES / 10);
    }

    private static String randomJson(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 12)) {
            case 0 -> String.valueOf(random.nextInt(-1, 4));
            case 1 -> random.nextBoolean() ? "true" : "null";
            case 2, 3 -> "\"" + TEXTS.get(random.nextInt(TEXTS.size())) + "\"";
            case 4, 5 -> {
                var list = new StringBuilder("[");
                for (int i = random.nextInt(3); i >= 0; i--) {
                    list.append(randomJson(random, depth - 1)).append(i == 0 ? "" : ",");
                }
                yield list.append(']').toString();
            }
            default -> {
                var object = new StringBuilder("{");
                int from = random.nextInt(KEYWORDS.size());
                int count = random.nextInt(4);
                for (int i = 0; i < count; i++) {
                    String word = KEYWORDS.get((from + i * 7) % KEYWORDS.size());
                    object.append(i == 0 ? "" : ",").append('"').append(word).append("\":");
                    object.append(randomJson(random, depth - 1));
                }
                yield object.append('}').toString();
            }
        };
    }

    @Test
    void anyTextIsCompiledOrRejectedAsPattern() {
        String alphabet = "ab01,-^$.*+?()[]{}|\\dwspPbBuxckAZ<>=!:_é\uD83D\uDE00";
        int usable = 0;
        for (int i = 0; i < CASES; i++) {
            var random = new Random(SEED + i);
            var pattern = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                pattern.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                var evaluation = new ValidationContext(false);
                Regex.of(pattern.toString(), 10_000).isFoundIn("ab\uD83D01-\uDE00é", evaluation);
                usable++;
            } catch (RegexSyntaxException refused) {
                assertThat(refused.reason()).isNotEmpty();
            } catch (RuntimeException | Error e) {
                fail("seed " + (SEED + i) + ": " + pattern, e);
            }
        }
        assertThat(usable).isBetween(CASES / 10, CASES * 9 / 10);
    }
}

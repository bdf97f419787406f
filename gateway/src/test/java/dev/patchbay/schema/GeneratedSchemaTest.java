package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import dev.patchbay.json.Json;
import dev.patchbay.schema.ValidationResult.Valid;

import org.junit.jupiter.api.Test;

/** What holds for schemas that nobody thought of. */
class GeneratedSchemaTest {
    private static final long SEED = 20_261_115;
    private static final int CASES = 3_000;

    @Test
    void acceptsTheValueTheSchemaWasGeneratedFor() {
        for (int i = 0; i < CASES; i++) {
            var generator = new SchemaGenerator(SEED + i);
            Object value = generator.object(3);
            String schema = generator.schemaFor(value);
            String json = SchemaGenerator.json(value);
            ValidationResult verdict = TestSchemas.compiled(schema).validate(Json.of(json));
            if (!(verdict instanceof Valid)) {
                fail("seed %d: %s against %s: %s", SEED + i, json, schema, verdict);
            }
        }
    }

    @Test
    void agreesWithAnotherValidator() {
        var registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        int refused = 0;
        for (int i = 0; i < CASES; i++) {
            var generator = new SchemaGenerator(SEED - i);
            String schema = generator.schemaFor(generator.object(3));
            String json = SchemaGenerator.json(generator.object(3));
            boolean valid = TestSchemas.compiled(schema).validate(Json.of(json)) instanceof Valid;
            refused += valid ? 0 : 1;
            if (valid != registry.getSchema(schema).validate(json, InputFormat.JSON).isEmpty()) {
                fail("seed %d: %s against %s: %s", SEED - i, json, schema, valid);
            }
        }
        assertThat(refused).isBetween(CASES / 10, CASES * 9 / 10);
    }
}

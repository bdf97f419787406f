package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.CompilationResult.Unusable;
import dev.patchbay.schema.Dialect.Draft;
import dev.patchbay.schema.ValidationResult.Valid;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Reading a schema word by word refuses what the schema of schemas refuses. */
class MetaSchemasTest {
    private static final long SEED = 20_261_115;
    private static final int MUTANTS = 2_000;
    private static final List<Json> REPLACEMENTS =
            List.of(
                    Json.of("5"),
                    Json.of("-1"),
                    Json.of("1.5"),
                    Json.of("\"x\""),
                    Json.of("\"string\""),
                    Json.TRUE,
                    Json.of("[]"),
                    Json.of("[\"x\",\"x\"]"),
                    Json.of("[{}]"),
                    Json.of("{}"),
                    Json.of("{\"type\":7}"));

    @ParameterizedTest
    @EnumSource(names = {"DRAFT_07", "DRAFT_2020_12"})
    void metaSchemasAcceptThemselves(Draft draft) {
        String uri = draft.uri;
        Json meta = MetaSchemas.INSTANCE.find(uri);
        assertThat(TestSchemas.compiled("{\"$ref\":\"" + uri + "\"}").validate(meta))
                .isInstanceOf(Valid.class);
        assertThat(InputSchema.compile(meta)).isInstanceOf(Compiled.class);
    }

    @Test
    void metaSchemaAndCompilerRejectTheSameSchemas() {
        InputSchema meta = TestSchemas.compiled("{\"$ref\":\"" + Draft.DRAFT_2020_12.uri + "\"}");
        var disagreements = new ArrayList<String>();
        int refused = 0;
        for (Json schema : mutants()) {
            boolean valid = meta.validate(schema) instanceof Valid;
            String fault = compileError(schema);
            refused += valid ? 0 : 1;
            boolean shape = fault.contains("must ") || fault.contains("is no ");
            if (valid == shape && (valid || fault.isEmpty())) {
                disagreements.add(schema + ": " + valid + ", " + fault);
            }
        }
        assertThat(disagreements).isEmpty();
        assertThat(refused).isBetween(MUTANTS / 10, MUTANTS * 9 / 10);
    }

    private static String compileError(Json schema) {
        return switch (InputSchema.compile(schema)) {
            case Compiled(InputSchema compiled) -> "";
            case Unusable(String reason) -> reason;
        };
    }

    /** The schema of schemas and generated ones, each with one value replaced. */
    private static List<Json> mutants() {
        var random = new Random(SEED);
        var mutants = new ArrayList<Json>();
        for (int i = 0; i < MUTANTS; i++) {
            var generator = new SchemaGenerator(SEED + i);
            String schema = generator.schemaFor(generator.object(3));
            mutants.add(mutated(Json.of(schema), random));
        }
        return mutants;
    }

    /** The value with one of its parts, at any depth, replaced by another value. */
    private static Json mutated(Json value, Random random) {
        List<Json> parts = value.isObject() ? new ArrayList<>() : List.of();
        if (value.isObject()) {
            value.members().forEach(member -> parts.add(member.value()));
        }
        if (parts.isEmpty() || random.nextInt(4) == 0) {
            return REPLACEMENTS.get(random.nextInt(REPLACEMENTS.size()));
        }
        int chosen = random.nextInt(parts.size());
        var text = new StringBuilder("{");
        for (int i = 0; i < parts.size(); i++) {
            String name = value.members().get(i).name();
            Json part = i == chosen ? mutated(parts.get(i), random) : parts.get(i);
            text.append(i == 0 ? "" : ",").append(Json.string(name)).append(':').append(part);
        }
        return Json.of(text.append('}').toString());
    }
}

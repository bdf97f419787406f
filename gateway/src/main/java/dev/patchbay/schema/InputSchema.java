package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.CompilationResult.Unusable;
import dev.patchbay.schema.ValidationResult.Invalid;
import dev.patchbay.schema.ValidationResult.Undecided;
import dev.patchbay.schema.ValidationResult.Valid;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The compiled input schema of a tool. It is immutable and thread-safe.
 *
 * <p>An optional property that is null counts as absent if its schema does not allow null, because
 * models send such nulls.
 */
public final class InputSchema {
    static final int SCHEMA_BYTES_MAX = 256 * 1024;

    /** The maximum number of rounds that remove nulls; each round can reveal new ones. */
    private static final int NULL_REMOVAL_ROUNDS_MAX = 8;

    private final CompiledSchema schema;
    private final boolean tracksEvaluated;
    private final @Nullable FastPathCheck fastPath;

    private InputSchema(CompiledSchema schema, boolean marking) {
        this.schema = schema;
        this.tracksEvaluated = marking;
        this.fastPath = FastPathCheck.of(schema);
    }

    /** Compiles a schema. An unusable schema is a result, not an exception. */
    public static CompilationResult compile(Json schema) {
        return compile(schema, MetaSchemas.INSTANCE, Dialect.DRAFT_2020_12);
    }

    /** Compiles a schema with a default dialect. */
    static CompilationResult compile(Json schema, ExternalSchemas documents, Dialect dialect) {
        if (schema.length() > SCHEMA_BYTES_MAX) {
            return new Unusable("the schema is larger than " + SCHEMA_BYTES_MAX + " bytes");
        }
        try {
            var compiler = new SchemaCompiler(documents);
            CompiledSchema compiled = compiler.compile(schema, dialect);
            return new Compiled(new InputSchema(compiled, compiler.tracksEvaluated()));
        } catch (UnusableSchemaException e) {
            return new Unusable(e.reason());
        } catch (StackOverflowError e) {
            return new Unusable("the schema is nested too deeply");
        }
    }

    /** Validates arguments in a bounded number of steps. */
    public ValidationResult validate(Json arguments) {
        if (fastPath != null
                && arguments.length() <= FastPathCheck.BYTES_MAX
                && fastPath.definitelyAccepts(arguments)) {
            return Valid.VALID;
        }
        var value = new ValueNode(arguments);
        var evaluation = new ValidationContext(tracksEvaluated);
        try {
            if (evaluation.accepts(schema, value)) {
                return Valid.VALID;
            }
            return explain(value, evaluation);
        } catch (BudgetExceededException e) {
            return new Undecided("the arguments are too costly to check against the schema");
        } catch (StackOverflowError e) {
            return new Undecided("the arguments are too deep to check against the schema");
        }
    }

    private ValidationResult explain(ValueNode value, ValidationContext evaluation) {
        List<Violation> violations = evaluation.violations(schema, value);
        for (int i = 0;
                i < NULL_REMOVAL_ROUNDS_MAX && !violations.isEmpty() && value.removeRejectedNulls();
                i++) {
            violations = evaluation.violations(schema, value);
        }
        return violations.isEmpty() ? Valid.VALID : new Invalid(violations, evaluation.omitted());
    }
}

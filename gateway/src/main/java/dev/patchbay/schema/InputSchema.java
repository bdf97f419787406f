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
 * The input schema of a tool, ready to check arguments against. It holds no state of a check, so
 * any number of threads may use it at once.
 *
 * <p>A property that is null but may be absent counts as absent if its schema does not want null,
 * for models send it so.
 */
public final class InputSchema {
    static final int SCHEMA_BYTES_MAX = 256 * 1024;

    /** How often nulls are taken away; each round can bring new ones to light. */
    private static final int NULL_REMOVAL_ROUNDS_MAX = 8;

    private final CompiledSchema schema;
    private final boolean tracksEvaluated;
    private final @Nullable FastPathCheck fastPath;

    private InputSchema(CompiledSchema schema, boolean marking) {
        this.schema = schema;
        this.tracksEvaluated = marking;
        this.fastPath = FastPathCheck.of(schema);
    }

    /** Compiles a schema, whatever it is: one that cannot be used is a result like any other. */
    public static CompilationResult compile(Json schema) {
        return compile(schema, MetaSchemas.INSTANCE, Dialect.DRAFT_2020_12);
    }

    /** Compiles a schema that is written in a dialect unless it names another. */
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

    /** Checks arguments; spends a bounded number of steps on it, whatever they are. */
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

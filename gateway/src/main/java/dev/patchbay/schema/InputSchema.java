package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.schema.Compilation.Compiled;
import dev.patchbay.schema.Compilation.Unusable;
import dev.patchbay.schema.Verdict.Invalid;
import dev.patchbay.schema.Verdict.Undecided;
import dev.patchbay.schema.Verdict.Valid;

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
    private static final int ROUNDS_MAX = 8;

    private final Schema schema;
    private final boolean marking;
    private final @Nullable Shape shape;

    private InputSchema(Schema schema, boolean marking) {
        this.schema = schema;
        this.marking = marking;
        this.shape = Shape.of(schema);
    }

    /** Compiles a schema, whatever it is: one that cannot be used is a result like any other. */
    public static Compilation compile(Json schema) {
        return compile(schema, MetaSchemas.KNOWN, Dialect.DRAFT_2020_12);
    }

    /** Compiles a schema that is written in a dialect unless it names another. */
    static Compilation compile(Json schema, Documents documents, Dialect dialect) {
        if (schema.length() > SCHEMA_BYTES_MAX) {
            return new Unusable("the schema is larger than " + SCHEMA_BYTES_MAX + " bytes");
        }
        try {
            var compiler = new Compiler(documents);
            Schema compiled = compiler.compile(schema, dialect);
            return new Compiled(new InputSchema(compiled, compiler.isMarking()));
        } catch (UnusableException e) {
            return new Unusable(e.reason());
        } catch (StackOverflowError e) {
            return new Unusable("the schema is nested too deeply");
        }
    }

    /** Checks arguments; spends a bounded number of steps on it, whatever they are. */
    public Verdict check(Json arguments) {
        if (shape != null && arguments.length() <= Shape.BYTES_MAX && shape.surelyFits(arguments)) {
            return Valid.VALID;
        }
        var value = new Value(arguments);
        var evaluation = new Evaluation(marking);
        try {
            if (evaluation.accepts(schema, value)) {
                return Valid.VALID;
            }
            return explain(value, evaluation);
        } catch (BudgetException e) {
            return new Undecided("the arguments are too costly to check against the schema");
        } catch (StackOverflowError e) {
            return new Undecided("the arguments are too deep to check against the schema");
        }
    }

    private Verdict explain(Value value, Evaluation evaluation) {
        List<Violation> violations = evaluation.violations(schema, value);
        for (int i = 0; i < ROUNDS_MAX && !violations.isEmpty() && value.dropNulls(); i++) {
            violations = evaluation.violations(schema, value);
        }
        return violations.isEmpty() ? Valid.VALID : new Invalid(violations, evaluation.omitted());
    }
}

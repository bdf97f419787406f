package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.patchbay.json.Json;
import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.CompilationResult.Unusable;
import dev.patchbay.schema.ValidationResult.Invalid;
import dev.patchbay.schema.ValidationResult.Undecided;
import dev.patchbay.schema.ValidationResult.Valid;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Short ways to compile and check in tests. */
final class TestSchemas {
    /** Far above what is spent, with a cold JVM; far below what an attack would cost. */
    private static final Duration CPU_TIME_MAX = Duration.ofSeconds(2);

    /** When what does not end is given up, however little of the machine it gets. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private TestSchemas() {}

    static InputSchema compiled(String schema) {
        return switch (InputSchema.compile(Json.of(schema))) {
            case Compiled(InputSchema compiled) -> compiled;
            case Unusable(String reason) -> throw new AssertionError(schema + ": " + reason);
        };
    }

    /** Why a schema cannot be used; empty if it can. */
    static String compileError(String schema) {
        return switch (InputSchema.compile(Json.of(schema))) {
            case Compiled(InputSchema compiled) -> "";
            case Unusable(String reason) -> reason;
        };
    }

    /** The violations as lines; nothing if the arguments are valid. */
    static List<String> violations(String schema, String arguments) {
        return switch (compiled(schema).validate(Json.of(arguments))) {
            case Valid() -> List.of();
            case Invalid(List<Violation> violations, int omitted) ->
                    violations.stream().map(Violation::text).toList();
            case Undecided(String reason) -> List.of("undecided: " + reason);
        };
    }

    /** Does what must not take long; the processor's time counts, which others do not use up. */
    static <T> T withinTimeLimit(Supplier<T> work) {
        return assertTimeoutPreemptively(
                TIMEOUT,
                () -> {
                    var threads = ManagementFactory.getThreadMXBean();
                    long before = threads.getCurrentThreadCpuTime();
                    T result = work.get();
                    assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before))
                            .isLessThan(CPU_TIME_MAX);
                    return result;
                });
    }
}

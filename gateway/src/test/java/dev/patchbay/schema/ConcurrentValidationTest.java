package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** One compiled schema serves many threads. */
class ConcurrentValidationTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int THREADS = 16;
    private static final int CHECKS = 500;

    @Test
    void everyThreadGetsTheSameResult() throws Exception {
        InputSchema schema =
                TestSchemas.compiled(
                        """
                        {"$ref":"#/$defs/node","$defs":{"node":{"type":"object",
                         "properties":{"name":{"type":"string","pattern":"^[a-z]+$"},
                         "next":{"$ref":"#/$defs/node"},"ids":{"uniqueItems":true}},
                         "unevaluatedProperties":false}}}
                        """);
        List<Json> arguments =
                List.of(
                        Json.of("{\"name\":\"a\",\"next\":{\"name\":\"b\",\"ids\":[1,2,3]}}"),
                        Json.of("{\"name\":\"A\",\"next\":{\"ids\":[1,2,1.0]}}"),
                        Json.of("{\"next\":{\"next\":{\"other\":1,\"name\":null}}}"));
        List<ValidationResult> alone = arguments.stream().map(schema::validate).toList();
        List<Callable<List<ValidationResult>>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            tasks.add(() -> validateRepeatedly(schema, arguments));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result : threads.invokeAll(tasks, DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(result.get()).isEqualTo(alone);
            }
        }
    }

    private static List<ValidationResult> validateRepeatedly(
            InputSchema schema, List<Json> arguments) {
        List<ValidationResult> last = List.of();
        for (int i = 0; i < CHECKS; i++) {
            List<ValidationResult> now = arguments.stream().map(schema::validate).toList();
            assertThat(i == 0 || now.equals(last)).isTrue();
            last = now;
        }
        return last;
    }
}

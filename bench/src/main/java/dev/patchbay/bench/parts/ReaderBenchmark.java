package dev.patchbay.bench.parts;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.JsonReader;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

import java.util.concurrent.TimeUnit;

/** Our own check of a whole text beside a pass over its tokens with jackson-core. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReaderBenchmark {
    private final JsonReader reader = new JsonReader(JsonLimits.DEFAULTS);
    private final JsonFactory tokens = new JsonFactory();

    /** As ours does, it refuses a member that is there twice. */
    private final JsonFactory strict =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    @Param({"call of 200 bytes", "list of 1000 tools", "call of 1 MB"})
    private String message = "";

    private byte[] text = {};

    @Setup
    public void prepare() {
        text =
                switch (message) {
                    case "call of 200 bytes" -> BenchMessages.call(200);
                    case "list of 1000 tools" -> BenchMessages.list(1_000);
                    default -> BenchMessages.call(1_000_000);
                };
    }

    @Benchmark
    public Json ours() throws JsonException {
        return reader.read(text, 0, text.length);
    }

    @Benchmark
    public int jackson() {
        return pass(tokens);
    }

    @Benchmark
    public int jacksonWithoutDuplicates() {
        return pass(strict);
    }

    private int pass(JsonFactory factory) {
        try (var parser = factory.createParser(ObjectReadContext.empty(), text)) {
            int count = 0;
            while (parser.nextToken() != null) {
                count++;
            }
            parser.finishToken();
            return count;
        }
    }
}

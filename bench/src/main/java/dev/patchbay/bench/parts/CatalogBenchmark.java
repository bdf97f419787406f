package dev.patchbay.bench.parts;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.schema.CompilationResult.Compiled;
import dev.patchbay.schema.InputSchema;
import dev.patchbay.schema.ValidationResult;

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

import java.util.concurrent.TimeUnit;

/** What is looked up for a call: its tool, among few or many, and whether its arguments fit. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CatalogBenchmark {
    private static final Json ARGUMENTS =
            Json.of("{\"text\":\"" + "x".repeat(200) + "\",\"count\":3}");
    private static final Json UNFIT =
            Json.of("{\"text\":\"" + "x".repeat(200) + "\",\"count\":-3}");

    /** Of each of ten servers. */
    @Param({"1", "100"})
    private int tools;

    private Catalog catalog = Catalog.EMPTY;
    private final InputSchema schema =
            ((Compiled) InputSchema.compile(Json.of(BenchMessages.SCHEMA))).schema();

    @Setup
    public void prepare() {
        catalog = BenchMessages.catalog(10, tools);
    }

    @Benchmark
    public LookupResult<Tool> lookup() {
        return catalog.findTool("s7.tool0");
    }

    @Benchmark
    public ValidationResult validate() {
        return schema.validate(ARGUMENTS);
    }

    @Benchmark
    public ValidationResult validateUnfit() {
        return schema.validate(UNFIT);
    }
}

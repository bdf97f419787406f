package dev.patchbay.bench.parts;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestId;

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

import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A call on its way through: decoded, its tool's name replaced, encoded under another id. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageBenchmark {
    private static final RequestId OTHER_ID = RequestId.of(815);
    private static final Json BARE_NAME = Json.string("echo");

    @Param({"200", "1000000"})
    private int textBytes;

    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);
    private byte[] line = {};
    private Json params = Json.EMPTY_OBJECT;

    @Setup
    public void prepare() {
        line = BenchMessages.call(textBytes);
        params = Objects.requireNonNull(((Request) decode()).params());
    }

    @Benchmark
    public DecodedFrame decode() {
        return decoder.decode(line, 0, line.length);
    }

    @Benchmark
    public Json splice() {
        return MemberPatch.with(params, "name", BARE_NAME);
    }

    @Benchmark
    public EncodedJson encode() {
        return Encoder.encode(new Request(OTHER_ID, "tools/call", params));
    }
}

package dev.patchbay.dashboard;

import dev.patchbay.gateway.CallObserver;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.TraceContext.SpanIds;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** A gateway whose servers are never started, and the observatory that is told of calls. */
final class CallStatisticsFixture implements AutoCloseable {
    static final ServerId FILES = new ServerId("files");

    /** The span of all calls. */
    static final SpanIds SPAN = new SpanIds("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");

    final Gateway gateway =
            Gateway.open(
                    GatewaySettings.DEFAULTS,
                    _ -> {
                        throw new IOException("Nothing is started here");
                    },
                    InstantSource.system());
    final CallStatistics statistics = new CallStatistics(gateway, InstantSource.system());

    CallStatisticsFixture() {
        this(Map.of());
    }

    CallStatisticsFixture(Map<String, String> env) {
        gateway.register(
                new ServerSpec(
                        FILES,
                        new Transport.Stdio("files", List.of(), env, null),
                        Options.DEFAULTS.withEnabled(false)));
    }

    /** Tells of a call to this server, or to nobody. */
    void recordCall(@Nullable ServerId server, CallResult reply) {
        recordCall(server, "x", "{}", reply, Duration.ofMillis(1));
    }

    /** Tells of a call that took so long. */
    void recordCall(String client, String params, @Nullable CallResult reply, Duration took) {
        recordCall(FILES, client, params, reply, took);
    }

    private void recordCall(
            @Nullable ServerId server,
            String client,
            String params,
            @Nullable CallResult reply,
            Duration took) {
        long now = System.nanoTime();
        statistics.callEnded(
                new CallObserver.EndedCall(
                        server,
                        "tools/call",
                        "read",
                        client,
                        "owner",
                        Json.of(params),
                        reply,
                        now - took.toNanos(),
                        now,
                        SPAN));
    }

    static CallResult successfulResult(String result) {
        return new CallResult.Answered(FILES, Json.of(result));
    }

    @Override
    public void close() {
        gateway.close();
    }
}

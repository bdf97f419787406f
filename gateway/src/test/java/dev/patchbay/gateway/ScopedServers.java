package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.Backoff;
import dev.patchbay.server.CallListener;
import dev.patchbay.server.FakeServer;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Instances;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.StartLimiter;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.TransportFactory;
import dev.patchbay.time.FakeTicker;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gateway with one server in memory whose instances note who calls them. */
final class ScopedServers implements AutoCloseable {
    private static final String INITIALIZED =
            """
            {"protocolVersion":"2025-11-25",\
            "capabilities":{"tools":{},"resources":{"subscribe":true}},\
            "serverInfo":{"name":"fake","version":"1"}}\
            """;

    /** One process of the server. */
    static final class Instance {
        final Set<String> callers = ConcurrentHashMap.newKeySet();
        final @Nullable String directory;
        final FakeServer server = new FakeServer(this::answer);
        volatile boolean isSilent;

        private Instance(@Nullable String directory) {
            this.directory = directory;
        }

        private String answer(String method, Json params) {
            return switch (method) {
                case "initialize" -> FakeServer.result(INITIALIZED);
                case "tools/list" ->
                        FakeServer.result(
                                """
                                {"tools":[{"name":"t","inputSchema":{"type":"object"}}]}\
                                """);
                case "resources/list" ->
                        FakeServer.result("{\"resources\":[{\"uri\":\"x://1\",\"name\":\"r\"}]}");
                case "resources/templates/list" -> FakeServer.result("{\"resourceTemplates\":[]}");
                case "tools/call" -> {
                    callers.add(String.valueOf(params.member("arguments").memberText("who")));
                    yield isSilent ? FakeServer.NO_RESPONSE : FakeServer.result("{\"content\":[]}");
                }
                case "server/discover" -> FakeServer.error(-32601, "Method not found");
                default -> FakeServer.result("{}");
            };
        }
    }

    final FakeTicker ticker = new FakeTicker();
    final List<Instance> opened = new CopyOnWriteArrayList<>();
    final Gateway gateway =
            new Gateway(
                    GatewaySettings.DEFAULTS,
                    new Supervisor.Dependencies(
                            this::open,
                            GatewaySettings.DEFAULTS.identity(),
                            InstantSource.system(),
                            new StartLimiter(8, ticker),
                            new Backoff(new Random(1)),
                            ticker,
                            64));

    private TransportFactory.TransportConnection open(ServerSpec spec) {
        var instance = new Instance(((Transport.Stdio) spec.transport()).cwd());
        opened.add(instance);
        return instance.server;
    }

    ScopedServers(Instances instances) throws InterruptedException {
        this("none", instances);
    }

    ScopedServers(String command, Instances instances) throws InterruptedException {
        gateway.register(
                new ServerSpec(
                        new ServerId("s"),
                        new Transport.Stdio(command, List.of(), Map.of(), null),
                        Options.DEFAULTS.withInstances(instances)));
        assertThat(gateway.discover(DiscoveryRequest.ALL).tools()).hasSize(1);
    }

    static Caller client() {
        return client(null);
    }

    static Caller client(@Nullable String directory) {
        return new Caller(new ClientIdentity(), Era.LEGACY, true, directory);
    }

    void leave(Caller caller) {
        gateway.clientGone((ClientIdentity) caller.client());
    }

    CallResult call(Caller caller, String who) throws InterruptedException {
        Json params = Json.of("{\"name\":\"t\",\"arguments\":{\"who\":\"" + who + "\"}}");
        return gateway.invoke(new Invocation("s.t", null, params, null, context(caller)))
                .callResult();
    }

    void callSuccessfully(Caller caller, String who) throws InterruptedException {
        assertThat(call(caller, who)).isInstanceOf(CallResult.Answered.class);
    }

    static CallContext context(Caller caller) {
        return new CallContext(CallListener.NONE, Json.EMPTY_OBJECT, null, "c", "", caller);
    }

    ServerReport report() {
        return gateway.server(new ServerId("s")).orElseThrow();
    }

    /** The instances that have not ended. */
    List<Instance> running() {
        return opened.stream().filter(it -> !it.server.hasEnded()).toList();
    }

    @Override
    public void close() {
        gateway.close();
    }
}

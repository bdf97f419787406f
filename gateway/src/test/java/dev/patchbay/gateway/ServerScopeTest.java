package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerSpec.Instances;
import dev.patchbay.server.ServerSpec.Scope;
import dev.patchbay.server.ServerState.Status;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Which instance of a server a call reaches, and when instances end. */
class ServerScopeTest {
    private static final Instances CLIENT = new Instances(Scope.CLIENT, Duration.ZERO, 1);
    private static final Instances PROJECT = new Instances(Scope.PROJECT, Duration.ZERO, 1);
    private static final Instances SHARED = new Instances(Scope.SHARED, Duration.ZERO, 1);

    @Test
    void sharedServerHasOneInstance() throws Exception {
        try (var servers = new ScopedServers(SHARED)) {
            servers.callSuccessfully(ScopedServers.client(), "a");
            servers.callSuccessfully(ScopedServers.client(), "b");
            assertThat(servers.opened).hasSize(1);
            assertThat(servers.opened.getFirst().callers).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void eachClientHasItsOwnInstanceAndTheFirstOneUsesTheOneThatRuns() throws Exception {
        try (var servers = new ScopedServers(CLIENT)) {
            Caller a = ScopedServers.client();
            Caller b = ScopedServers.client();
            servers.callSuccessfully(a, "a");
            servers.callSuccessfully(b, "b");
            servers.callSuccessfully(a, "a");
            servers.callSuccessfully(Caller.GATEWAY, "gateway");
            assertThat(servers.opened).hasSize(3);
            assertThat(servers.opened).allMatch(it -> it.callers.size() == 1);
            assertThat(servers.report().connections()).isEqualTo(3);
            assertThat(servers.report().toJson().toString())
                    .contains("\"scope\":\"client\",\"scopeReason\":\"configured\"")
                    .contains("\"processes\":3");
        }
    }

    @Test
    void instanceEndsWithItsClient() throws Exception {
        try (var servers = new ScopedServers(CLIENT)) {
            Caller a = ScopedServers.client();
            Caller b = ScopedServers.client();
            servers.callSuccessfully(a, "a");
            servers.callSuccessfully(b, "b");
            servers.leave(b);
            servers.leave(a);
            servers.ticker.advance(Duration.ofSeconds(1));
            assertThat(GatewayFixture.becomesTrue(() -> servers.running().isEmpty())).isTrue();
            assertThat(GatewayFixture.names(servers.gateway.tools())).containsExactly("s.t");
            servers.callSuccessfully(ScopedServers.client(), "c");
            assertThat(servers.opened).hasSize(3);
            assertThat(servers.call(a, "a")).isInstanceOf(CallResult.Failed.class);
            assertThat(servers.opened).hasSize(3);
        }
    }

    @Test
    void clientsOfOneDirectoryShareAnInstanceThere() throws Exception {
        try (var servers = new ScopedServers(PROJECT)) {
            Caller a = ScopedServers.client("/work/one");
            Caller b = ScopedServers.client("/work/one");
            servers.callSuccessfully(a, "one");
            servers.callSuccessfully(b, "one");
            servers.callSuccessfully(ScopedServers.client("/work/two"), "two");
            servers.callSuccessfully(ScopedServers.client(), "unknown");
            assertThat(servers.opened)
                    .filteredOn(it -> it.callers.contains("one"))
                    .singleElement()
                    .satisfies(it -> assertThat(it.directory).isEqualTo("/work/one"))
                    .satisfies(it -> assertThat(it.callers).hasSize(1));
            servers.leave(a);
            servers.callSuccessfully(b, "one");
            assertThat(servers.opened).hasSize(3);
        }
    }

    /** No client ever reaches the instance of another, whatever comes in which order. */
    @ParameterizedTest
    @EnumSource(
            value = Scope.class,
            names = {"CLIENT", "PROJECT"})
    void noInstanceIsUsedByTwoOwners(Scope scope) throws Exception {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        try (var servers = new ScopedServers(new Instances(scope, Duration.ZERO, 1))) {
            var clients = new ArrayList<Caller>();
            for (int step = 0; step < 300; step++) {
                if (clients.size() < 6 && random.nextInt(4) == 0) {
                    String directory = random.nextBoolean() ? "/d" + random.nextInt(3) : null;
                    boolean hasEnd = random.nextInt(4) > 0;
                    clients.add(
                            hasEnd
                                    ? ScopedServers.client(directory)
                                    : new Caller("stateless" + step, Era.MODERN, false, directory));
                } else if (!clients.isEmpty() && random.nextInt(5) == 0) {
                    Caller gone = clients.remove(random.nextInt(clients.size()));
                    if (gone.client() instanceof ClientIdentity) {
                        servers.leave(gone);
                    }
                    servers.ticker.advance(Duration.ofSeconds(random.nextInt(600)));
                } else if (!clients.isEmpty()) {
                    Caller caller = clients.get(random.nextInt(clients.size()));
                    servers.callSuccessfully(caller, ownerName(scope, caller));
                }
            }
            assertThat(servers.opened)
                    .as("seed %d", seed)
                    .allMatch(instance -> instance.callers.size() <= 1);
            assertThat(servers.running()).as("seed %d", seed).hasSizeLessThan(80);
        }
    }

    private static String ownerName(Scope scope, Caller caller) {
        String directory = caller.directory();
        return scope == Scope.PROJECT && directory != null
                ? directory
                : Integer.toString(System.identityHashCode(caller.client()));
    }

    @Test
    void updateOfAResourceReachesTheClientOfThatInstance() throws Exception {
        try (var servers = new ScopedServers(CLIENT)) {
            Caller a = ScopedServers.client();
            Caller b = ScopedServers.client();
            servers.callSuccessfully(a, "a");
            servers.callSuccessfully(b, "b");
            BlockingQueue<String> told = new LinkedBlockingQueue<>();
            subscribe(servers, a, "a", told);
            subscribe(servers, b, "b", told);
            for (ScopedServers.Instance instance : servers.opened) {
                instance.server.sendMessage(
                        """
                        {"jsonrpc":"2.0","method":"notifications/resources/updated",\
                        "params":{"uri":"x://1"}}\
                        """);
                assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo(only(instance.callers));
            }
            assertThat(told).isEmpty();
        }
    }

    private static String only(Iterable<String> names) {
        return names.iterator().next();
    }

    private static void subscribe(
            ScopedServers servers, Caller caller, String name, BlockingQueue<String> told)
            throws InterruptedException {
        SubscriptionResult result =
                servers.gateway.subscribe(
                        Json.of("{\"uri\":\"x://1\"}"),
                        ScopedServers.context(caller),
                        _ -> told.add(name));
        assertThat(result.result()).isInstanceOf(CallResult.Answered.class);
    }

    @Test
    void numberOfInstancesIsBounded() throws Exception {
        try (var servers = new ScopedServers(CLIENT)) {
            for (int i = 0; i <= InstanceBudget.INSTANCES_PER_SERVER_MAX; i++) {
                servers.callSuccessfully(ScopedServers.client(), "c" + i);
            }
            CallResult tooMany = servers.call(ScopedServers.client(), "more");
            assertThat(((CallResult.Failed) tooMany).failure().reason())
                    .isEqualTo(ErrorReason.OVERLOADED);
            assertThat(((CallResult.Failed) tooMany).failure().message())
                    .contains("too many connections")
                    .contains("scope");
        }
    }

    @Test
    void unusedServerIsStoppedAndStartsWithTheNextCall() throws Exception {
        var idle = new Instances(Scope.SHARED, Duration.ofMinutes(5), 1);
        try (var servers = new ScopedServers(idle)) {
            Caller a = ScopedServers.client();
            servers.callSuccessfully(a, "a");
            servers.ticker.advance(Duration.ofMinutes(4));
            assertThat(servers.running()).hasSize(1);
            advanceUntil(servers, () -> servers.running().isEmpty());
            assertThat(servers.report().state().status()).isEqualTo(Status.DISCONNECTED);
            assertThat(servers.report().activity()).contains("nobody used it");
            assertThat(GatewayFixture.names(servers.gateway.tools())).containsExactly("s.t");
            servers.callSuccessfully(a, "a");
            assertThat(servers.opened).hasSize(2);
            assertThat(servers.report().state().status()).isEqualTo(Status.CONNECTED);
        }
    }

    /** Each step is as long as the gateway may take to notice, so that none is missed. */
    private static void advanceUntil(
            ScopedServers servers, java.util.function.BooleanSupplier condition) {
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> {
                                    servers.ticker.advance(Duration.ofSeconds(30));
                                    return condition.getAsBoolean();
                                }))
                .isTrue();
    }

    @Test
    void instanceOfAClientWithoutAnEndIsClosedWhenItIsNotUsed() throws Exception {
        try (var servers = new ScopedServers(CLIENT)) {
            servers.callSuccessfully(new Caller("one", Era.MODERN, false, null), "one");
            servers.callSuccessfully(new Caller("two", Era.MODERN, false, null), "two");
            assertThat(servers.running()).hasSize(2);
            servers.ticker.advance(Duration.ofMinutes(29));
            assertThat(servers.running()).hasSize(2);
            advanceUntil(servers, () -> servers.running().isEmpty());
        }
    }

    @Test
    void replicasShareTheClientsAndADeadOneIsAvoided() throws Exception {
        var replicas = new Instances(Scope.SHARED, Duration.ZERO, 3);
        try (var servers = new ScopedServers(replicas)) {
            var clients =
                    List.of(ScopedServers.client(), ScopedServers.client(), ScopedServers.client());
            for (int round = 0; round < 3; round++) {
                for (Caller client : clients) {
                    servers.callSuccessfully(client, "c" + clients.indexOf(client));
                }
                assertThat(GatewayFixture.becomesTrue(() -> servers.report().connections() == 3))
                        .isTrue();
            }
            assertThat(servers.opened).hasSize(3);
            assertThat(servers.opened).allMatch(it -> !it.callers.isEmpty());
            servers.opened.getLast().server.close();
            for (Caller client : clients) {
                servers.callSuccessfully(client, "after");
            }
        }
    }
}

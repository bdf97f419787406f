package dev.patchbay.app.wiring;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.DiscoveryResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.json.Json;
import dev.patchbay.secret.SecretLookup;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState.Status;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The gateway that a command uses: one of its own, or in the daemon the one that clients use too.
 * The latter stays as it is: what was stopped is not started only to be shown.
 */
public final class CommandGateway implements AutoCloseable {
    /** How many servers a request may name. */
    private static final int IDS_MAX = 20;

    private final AppContext context;
    private final ConfiguredGateway configured;
    private final boolean isLent;
    private final Set<String> chosenIds;

    private CommandGateway(
            AppContext context,
            ConfiguredGateway configured,
            boolean isLent,
            UnaryOperator<Configuration> restriction) {
        this.context = context;
        this.configured = configured;
        this.isLent = isLent;
        this.chosenIds =
                new HashSet<>(ids(restriction.apply(configured.configuration()).servers()));
    }

    /** Opens a gateway with the given servers only; with all of them if the list is empty. */
    public static CommandGateway open(AppContext context, @Nullable Path chosen, List<String> ids) {
        return open(context, chosen, all -> ids.isEmpty() ? all : withIds(all, ids));
    }

    /** The same with the server of a tool alone, if the name of the tool begins with its id. */
    public static CommandGateway openForTool(
            AppContext context, @Nullable Path chosen, String tool) {
        return open(
                context,
                chosen,
                all -> {
                    String id = serverOf(all.servers(), tool);
                    return id.isEmpty() ? all : withIds(all, List.of(id));
                });
    }

    /** The same with one server alone, if the URI is qualified with its id. */
    public static CommandGateway openForUri(AppContext context, @Nullable Path chosen, String uri) {
        return open(
                context,
                chosen,
                all ->
                        all.servers().stream()
                                .filter(it -> Catalog.isQualifiedWith(it.id(), uri))
                                .findFirst()
                                .map(it -> all.withServers(List.of(it)))
                                .orElse(all));
    }

    /**
     * Opens a gateway for a diagnosis: no cached lists are used, so that the result shows the
     * present state. The configuration must be valid.
     */
    public static CommandGateway openForDiagnosis(AppContext context, ConfigSource found) {
        ConfiguredGateway lent = context.lent();
        ConfiguredGateway used =
                lent == null ? ConfiguredGateway.openForDiagnosis(context, found) : lent;
        return new CommandGateway(context, used, lent != null, UnaryOperator.identity());
    }

    private static CommandGateway open(
            AppContext context, @Nullable Path chosen, UnaryOperator<Configuration> restriction) {
        ConfiguredGateway lent = context.lent();
        if (lent == null) {
            var opened = ConfiguredGateway.open(context, chosen, restriction);
            return new CommandGateway(context, opened, false, restriction);
        }
        ConfiguredGateway.requireValid(context, chosen);
        return new CommandGateway(context, lent, true, restriction);
    }

    /** The id of the server that a name begins with, as in full and in safe names. */
    private static String serverOf(List<ServerSpec> servers, String tool) {
        for (ServerSpec server : servers) {
            String id = server.id().value();
            if (tool.startsWith(id + ".") || tool.startsWith(id + "__")) {
                return id;
            }
        }
        return "";
    }

    private static Configuration withIds(Configuration all, List<String> ids) {
        return all.withServers(
                all.servers().stream().filter(it -> ids.contains(it.id().value())).toList());
    }

    private static List<String> ids(List<ServerSpec> servers) {
        return servers.stream().map(it -> it.id().value()).toList();
    }

    /** Starts to record the calls of the command, as the daemon does already. */
    public void recordCalls() {
        if (!isLent) {
            configured.recordCalls();
        }
    }

    public PatchbaySettings settings() {
        return configured.settings();
    }

    /** The ids of all servers of the configuration, also of those that were not chosen. */
    public List<String> configuredIds() {
        return ids(configured.configuration().servers());
    }

    public Gateway gateway() {
        return configured.gateway();
    }

    /** The secrets that the servers of this gateway refer to. */
    public SecretLookup secrets() {
        return configured.secrets();
    }

    /** Asks the chosen servers, and prints why those that failed did; whether none did. */
    public boolean discoverAll() throws InterruptedException {
        return isLent ? discoverRunning() : discoverOwn();
    }

    private boolean discoverOwn() throws InterruptedException {
        boolean isComplete = true;
        for (DiscoveryResult.ServerResult row : discover(DiscoveryRequest.ALL).serverResults()) {
            isComplete &= !printFailure(row.serverId(), row.error());
        }
        return isComplete;
    }

    private boolean discoverRunning() throws InterruptedException {
        discoverQuietly();
        boolean isComplete = true;
        for (ServerReport server : chosenServers()) {
            if (server.hasFailed()) {
                isComplete &= !printFailure(server.spec().id().value(), server.lastError());
            }
        }
        return isComplete;
    }

    /** Prints why a server failed; false if it has not. */
    private boolean printFailure(String id, @Nullable ServerFailure failure) {
        if (failure != null) {
            context.terminal().printMessage("patchbay: " + id + ": " + failure.message());
        }
        return failure != null;
    }

    /** Asks the chosen servers without printing errors; in the daemon, those that run. */
    public void discoverQuietly() throws InterruptedException {
        if (!isLent) {
            discover(DiscoveryRequest.ALL);
            return;
        }
        List<String> running =
                chosenServers().stream()
                        .filter(CommandGateway::isRunning)
                        .map(it -> it.spec().id().value())
                        .toList();
        for (int from = 0; from < running.size(); from += IDS_MAX) {
            List<String> some = running.subList(from, Math.min(running.size(), from + IDS_MAX));
            discover(new DiscoveryRequest(some, false, false));
        }
    }

    private List<ServerReport> chosenServers() {
        return gateway().servers().stream()
                .filter(it -> chosenIds.contains(it.spec().id().value()))
                .toList();
    }

    private static boolean isRunning(ServerReport server) {
        Status status = server.state().status();
        return status == Status.CONNECTED || status == Status.CONNECTING;
    }

    /** Lets the servers connect, if this gateway was opened to show their states. */
    public void awaitStates() throws InterruptedException {
        if (!isLent) {
            discover(DiscoveryRequest.ALL);
        }
    }

    public DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        try (ProgressLine _ = ProgressLine.start(context.terminal(), gateway())) {
            return gateway().discover(request);
        }
    }

    /** Refreshes the server of a tool; all servers if its name does not tell which one. */
    public void discoverServerOf(String tool) throws InterruptedException {
        List<ServerSpec> servers = gateway().servers().stream().map(ServerReport::spec).toList();
        String server = serverOf(servers, tool);
        if (server.isEmpty()) {
            discoverQuietly();
        } else {
            discover(new DiscoveryRequest(List.of(server), false, false));
        }
    }

    /** The input schema of a tool; an empty object if the tool does not exist. */
    public Json inputSchema(String tool) {
        return gateway().lookup(tool) instanceof LookupResult.Found<?>(var found)
                        && found instanceof Tool entry
                ? entry.inputSchema()
                : Json.EMPTY_OBJECT;
    }

    @Override
    public void close() {
        if (!isLent) {
            configured.close();
        }
    }
}

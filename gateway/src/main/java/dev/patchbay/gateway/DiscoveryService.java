package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Resource;
import dev.patchbay.gateway.DiscoveryResult.DiscoveryStatus;
import dev.patchbay.gateway.DiscoveryResult.ServerResult;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.ServerFailure;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Queries servers for their lists concurrently. */
final class DiscoveryService {
    static final int SERVER_IDS_MAX = 20;

    /** A server's row, and its lists if it sent them. */
    private record ServerPart(ServerResult row, @Nullable Listing listing) {}

    private final VisibleServers servers;
    private final InstantSource clock;

    DiscoveryService(VisibleServers servers, InstantSource clock) {
        this.servers = servers;
        this.clock = clock;
    }

    DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        if (request.serverIds().size() > SERVER_IDS_MAX) {
            throw new GatewayException(
                    ErrorReason.INVALID_CONFIG,
                    "At most " + SERVER_IDS_MAX + " servers can be named");
        }
        long started = System.nanoTime();
        List<Callable<ServerPart>> tasks = new ArrayList<>();
        for (String id : serverIds(request)) {
            tasks.add(() -> discoverServer(id, request));
        }
        var tools = new ArrayList<ToolReport>();
        var resources = new ArrayList<Resource>();
        var rows = new ArrayList<ServerResult>();
        for (ServerPart part : runAll(tasks)) {
            rows.add(part.row());
            if (part.listing() != null) {
                part.listing().tools().forEach(it -> tools.add(new ToolReport(it, true)));
                resources.addAll(part.listing().resources());
            }
        }
        return new DiscoveryResult(tools, resources, rows, millisSince(started), clock.instant());
    }

    /** The ids of the servers to query, sorted and without duplicates. */
    private Collection<String> serverIds(DiscoveryRequest request) {
        if (!request.serverIds().isEmpty()) {
            return new TreeSet<>(request.serverIds());
        }
        return servers.all().stream()
                .filter(it -> request.includeDisabled() || it.isEnabled())
                .map(it -> it.id().value())
                .toList();
    }

    private static List<ServerPart> runAll(List<Callable<ServerPart>> tasks)
            throws InterruptedException {
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            return workers.invokeAll(tasks).stream().map(Future::resultNow).toList();
        }
    }

    private ServerPart discoverServer(String id, DiscoveryRequest request)
            throws InterruptedException {
        long started = System.nanoTime();
        ServerEntry server = servers.find(id).orElse(null);
        if (server == null) {
            var trouble =
                    new ServerFailure(
                            ErrorReason.SERVER_NOT_FOUND,
                            "There is no server " + id,
                            "discover",
                            0,
                            ExecutionStatus.NOT_SENT);
            return new ServerPart(
                    new ServerResult(id, DiscoveryStatus.ERROR, 0, 0, trouble, 0), null);
        }
        if (!server.isEnabled()) {
            return new ServerPart(
                    new ServerResult(id, DiscoveryStatus.SKIPPED, 0, 0, null, 0), null);
        }
        ListingState.CachedListing content = server.listingCache().refresh(request.forceRefresh());
        DiscoveryStatus status =
                content.failure() == null ? DiscoveryStatus.SUCCESS : DiscoveryStatus.ERROR;
        Listing told =
                content.isCurrent()
                        ? servers.restrict(server.listingCache().visible(content))
                        : null;
        int tools = told == null ? 0 : told.tools().size();
        int resources = told == null ? 0 : told.resources().size();
        var row =
                new ServerResult(
                        id, status, tools, resources, content.failure(), millisSince(started));
        return new ServerPart(row, told);
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }
}

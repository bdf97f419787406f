package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Resource;
import dev.patchbay.gateway.DiscoveryResult.Row;
import dev.patchbay.gateway.DiscoveryResult.Status;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.Trouble;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks servers for their lists, all at the same time, and accounts for each. */
final class Discovery {
    static final int SERVER_IDS_MAX = 20;

    /** A server's row, and its lists if it told them. */
    private record Part(Row row, @Nullable Listing listing) {}

    private final Registry registry;
    private final InstantSource clock;

    Discovery(Registry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
    }

    DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        if (request.serverIds().size() > SERVER_IDS_MAX) {
            throw new GatewayException(
                    Reason.INVALID_CONFIG, "At most " + SERVER_IDS_MAX + " servers can be named");
        }
        long started = System.nanoTime();
        List<Callable<Part>> tasks = new ArrayList<>();
        for (String id : ids(request)) {
            tasks.add(() -> part(id, request));
        }
        var tools = new ArrayList<ToolReport>();
        var resources = new ArrayList<Resource>();
        var rows = new ArrayList<Row>();
        for (Part part : all(tasks)) {
            rows.add(part.row());
            if (part.listing() != null) {
                part.listing().tools().forEach(it -> tools.add(new ToolReport(it, true)));
                resources.addAll(part.listing().resources());
            }
        }
        return new DiscoveryResult(tools, resources, rows, millisSince(started), clock.instant());
    }

    /** The servers to account for, each once and in the order of their ids. */
    private Collection<String> ids(DiscoveryRequest request) {
        if (!request.serverIds().isEmpty()) {
            return new TreeSet<>(request.serverIds());
        }
        return registry.all().stream()
                .filter(it -> request.includeDisabled() || it.isEnabled())
                .map(it -> it.id().value())
                .toList();
    }

    private static List<Part> all(List<Callable<Part>> tasks) throws InterruptedException {
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            return workers.invokeAll(tasks).stream().map(Future::resultNow).toList();
        }
    }

    private Part part(String id, DiscoveryRequest request) throws InterruptedException {
        long started = System.nanoTime();
        Registered server = registry.find(id).orElse(null);
        if (server == null) {
            var trouble =
                    new Trouble(
                            Reason.SERVER_NOT_FOUND,
                            "There is no server " + id,
                            "discover",
                            0,
                            Execution.NOT_SENT);
            return new Part(new Row(id, Status.ERROR, 0, 0, trouble, 0), null);
        }
        if (!server.isEnabled()) {
            return new Part(new Row(id, Status.SKIPPED, 0, 0, null, 0), null);
        }
        Shelf.Content content = server.shelf().refresh(request.forceRefresh());
        Status status = content.failure() == null ? Status.SUCCESS : Status.ERROR;
        Listing told = content.current() ? server.shelf().shown(content) : null;
        int tools = told == null ? 0 : told.tools().size();
        int resources = told == null ? 0 : told.resources().size();
        var row = new Row(id, status, tools, resources, content.failure(), millisSince(started));
        return new Part(row, told);
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }
}

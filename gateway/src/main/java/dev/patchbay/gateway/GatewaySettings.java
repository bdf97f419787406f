package dev.patchbay.gateway;

import dev.patchbay.catalog.NameStylePolicy;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.StartLimiter;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What is configured of the gateway itself, complete.
 *
 * @param identity how the gateway names itself to servers and clients
 * @param names which names clients see
 * @param stateDir where the last known lists of servers are kept; null to keep none
 * @param ownTools which tools of its own the gateway offers
 */
public record GatewaySettings(
        Implementation identity,
        NameStylePolicy names,
        @Nullable Path stateDir,
        OwnTools ownTools,
        Limits limits,
        PerServer perServer) {

    public static final GatewaySettings DEFAULTS =
            new GatewaySettings(
                    new Implementation("patchbay", "0.1.0"),
                    NameStylePolicy.AUTO,
                    null,
                    OwnTools.NONE,
                    Limits.DEFAULTS,
                    PerServer.DEFAULTS);

    /**
     * The gateway's own tools.
     *
     * @param inspection whether it offers read-only tools about servers and tools
     * @param invocation whether it offers a tool that calls any other tool by name
     */
    public record OwnTools(boolean inspection, boolean invocation) {
        public static final OwnTools NONE = new OwnTools(false, false);
    }

    /**
     * How much, and how long.
     *
     * @param serversMax how many servers may be registered
     * @param startsMax how many servers may start at the same time
     * @param keepLists how long a list is taken for current if the server does not say
     * @param listPatience how long a client's list waits for a server whose list is known from
     *     before
     * @param closePatience how long closing waits for the servers to end
     */
    public record Limits(
            int serversMax,
            int startsMax,
            Duration keepLists,
            Duration listPatience,
            Duration closePatience) {
        public static final Limits DEFAULTS =
                new Limits(
                        1_000,
                        StartLimiter.DEFAULT_PERMITS,
                        Duration.ofSeconds(60),
                        Duration.ofMillis(25),
                        Duration.ofSeconds(10));

        public Limits {
            requirePositive("serversMax", serversMax);
            requirePositive("startsMax", startsMax);
            requirePositive("keepLists", keepLists.toMillis());
            requirePositive("listPatience", listPatience.toMillis());
            requirePositive("closePatience", closePatience.toMillis());
        }

        private static void requirePositive(String name, long value) {
            if (value <= 0) {
                throw new IllegalArgumentException(name + " must be positive");
            }
        }
    }

    /**
     * Limits for one server.
     *
     * @param pagesMax how many pages of a list are read
     * @param entriesMax how many entries of a list are offered
     * @param callsMax how many requests may be in progress
     */
    public record PerServer(int pagesMax, int entriesMax, int callsMax) {
        public static final PerServer DEFAULTS = new PerServer(1_000, 2_000, 256);

        public PerServer {
            Limits.requirePositive("pagesMax", pagesMax);
            Limits.requirePositive("entriesMax", entriesMax);
            Limits.requirePositive("callsMax", callsMax);
        }
    }

    public GatewaySettings withNames(NameStylePolicy policy) {
        return new GatewaySettings(identity, policy, stateDir, ownTools, limits, perServer);
    }

    public GatewaySettings withStateDir(@Nullable Path folder) {
        return new GatewaySettings(identity, names, folder, ownTools, limits, perServer);
    }

    public GatewaySettings withOwnTools(OwnTools tools) {
        return new GatewaySettings(identity, names, stateDir, tools, limits, perServer);
    }

    public GatewaySettings withLimits(Limits others) {
        return new GatewaySettings(identity, names, stateDir, ownTools, others, perServer);
    }
}

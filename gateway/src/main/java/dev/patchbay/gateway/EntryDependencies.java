package dev.patchbay.gateway;

import dev.patchbay.server.Supervisor;

/** The dependencies that all entries of the registry share. */
record EntryDependencies(
        GatewaySettings settings,
        Supervisor.Dependencies supervisor,
        DebounceTimer timer,
        ListingBudget budget,
        InstanceBudget instanceBudget,
        EntryEvents events) {}

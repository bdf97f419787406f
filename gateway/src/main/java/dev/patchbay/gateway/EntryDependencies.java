package dev.patchbay.gateway;

import dev.patchbay.server.Supervisor;

/** What all entries of the registry have in common. */
record EntryDependencies(
        GatewaySettings settings,
        Supervisor.Dependencies supervisor,
        DebounceTimer timer,
        ListingBudget budget,
        EntryEvents events) {}

package dev.patchbay.gateway;

import java.util.List;

/**
 * Which servers to query for their lists.
 *
 * @param serverIds the servers; empty for all
 * @param forceRefresh whether to query servers whose lists are current
 * @param includeDisabled whether disabled servers get a row, as skipped; they are never queried
 */
public record DiscoveryRequest(
        List<String> serverIds, boolean forceRefresh, boolean includeDisabled) {
    public static final DiscoveryRequest ALL = new DiscoveryRequest(List.of(), false, false);

    public DiscoveryRequest {
        serverIds = List.copyOf(serverIds);
    }

    public DiscoveryRequest forced() {
        return new DiscoveryRequest(serverIds, true, includeDisabled);
    }

    public DiscoveryRequest withDisabled() {
        return new DiscoveryRequest(serverIds, forceRefresh, true);
    }

    public DiscoveryRequest only(String... ids) {
        return new DiscoveryRequest(List.of(ids), forceRefresh, includeDisabled);
    }
}

package dev.patchbay.dashboard;

import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Which calls a principal may see: its own, or all with the scope {@code admin}.
 *
 * @param principal the only principal whose calls are shown; null for all
 */
record CallVisibility(@Nullable String principal) {
    private static final CallVisibility ALL = new CallVisibility(null);

    static CallVisibility of(@Nullable Principal principal) {
        if (principal == null) {
            return new CallVisibility("");
        }
        return principal.has(AccessScope.ADMIN) ? ALL : new CallVisibility(principal.name());
    }

    boolean shows(CallLog.Entry entry) {
        return principal == null || principal.equals(entry.call().principal());
    }
}

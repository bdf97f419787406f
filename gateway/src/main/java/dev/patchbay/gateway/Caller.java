package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;

import org.jspecify.annotations.Nullable;

/**
 * The client of a call, as far as it decides which connection of a server gets the call.
 *
 * @param client equal for all calls of one client, and for no call of another. A {@link
 *     ClientIdentity} if the end of the client will be reported; null for the gateway itself
 * @param era the era that the client uses; null if it does not matter
 * @param canBeAsked whether the client declared that servers may ask it something
 * @param directory the working directory of the client; null if it is not known
 */
public record Caller(
        @Nullable Object client,
        @Nullable Era era,
        boolean canBeAsked,
        @Nullable String directory) {
    /** The gateway itself. */
    public static final Caller GATEWAY = new Caller(null, null, false, null);

    /** Whether the end of the client will be reported. */
    boolean hasEnd() {
        return client instanceof ClientIdentity;
    }

    /** Whether the client is gone, so that nothing must be opened for it any more. */
    boolean isGone() {
        return client instanceof ClientIdentity identity && identity.isGone();
    }
}

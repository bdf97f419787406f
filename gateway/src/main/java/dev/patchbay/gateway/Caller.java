package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;

import org.jspecify.annotations.Nullable;

/**
 * The client of a call, as far as it decides which connection of a server gets the call.
 *
 * @param client equal for all calls of one client, and for no call of another; null for calls of
 *     the gateway itself
 * @param era the era that the client uses; null if it does not matter
 * @param canBeAsked whether the client declared that servers may ask it something
 */
public record Caller(@Nullable Object client, @Nullable Era era, boolean canBeAsked) {
    /** The gateway itself. */
    public static final Caller GATEWAY = new Caller(null, null, false);
}

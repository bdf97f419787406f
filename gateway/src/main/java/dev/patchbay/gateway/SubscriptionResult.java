package dev.patchbay.gateway;

/**
 * The result of a subscription.
 *
 * @param result answered if it succeeded
 * @param stop ends the subscription without blocking; may be called repeatedly
 */
public record SubscriptionResult(CallResult result, Runnable stop) {}

package dev.patchbay.gateway;

/**
 * What came of a client's wish to hear of a resource.
 *
 * @param result an answer if the client will hear of it
 * @param stop ends that, without waiting; once is enough, and more does no harm
 */
public record SubscriptionResult(CallResult result, Runnable stop) {}

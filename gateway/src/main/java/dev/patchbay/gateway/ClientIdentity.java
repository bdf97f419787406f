package dev.patchbay.gateway;

/** Identifies a client from its first request to its end, such as a connection or a session. */
public final class ClientIdentity {
    private volatile boolean isGone;

    boolean isGone() {
        return isGone;
    }

    void markGone() {
        isGone = true;
    }
}

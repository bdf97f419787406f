package dev.patchbay.server;

/** Receives every change of a server's state, in order. Must not block. */
public interface StateListener {
    void onStateChanged(ServerId server, ServerState before, ServerState after);
}

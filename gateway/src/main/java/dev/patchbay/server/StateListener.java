package dev.patchbay.server;

/** Hears of every change of a server's state, in order. It must not wait. */
public interface StateListener {
    void onStateChanged(ServerId server, ServerState before, ServerState after);
}

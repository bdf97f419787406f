package dev.patchbay.server;

import dev.patchbay.time.Ticker;

/**
 * What every session of one server has in common.
 *
 * @param listener receives what the server sends without being asked
 * @param callsMax how many calls the server may work on at a time
 */
record SessionOptions(ServerEventListener listener, int callsMax, Ticker ticker) {}

package dev.patchbay.server;

import dev.patchbay.time.Ticker;

/**
 * Options of all sessions of one server.
 *
 * @param listener receives what the server sends without being asked
 * @param questions what the server may say to people
 * @param callsMax how many calls the server may work on at a time
 */
record SessionOptions(
        ServerEventListener listener, QuestionPolicy questions, int callsMax, Ticker ticker) {}

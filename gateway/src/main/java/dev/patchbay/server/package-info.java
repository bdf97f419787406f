/**
 * One registered server: its specification, state, handshake, retries and session. A server's
 * failure is a value in its state and affects no other server.
 */
@NullMarked
package dev.patchbay.server;

import org.jspecify.annotations.NullMarked;

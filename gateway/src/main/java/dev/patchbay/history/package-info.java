/**
 * What the gateway keeps on disk about what happened: the calls of all clients, the states of
 * servers and what they said. Files are bounded, readable by their owner only, and shared by all
 * processes of the user.
 */
@NullMarked
package dev.patchbay.history;

import org.jspecify.annotations.NullMarked;

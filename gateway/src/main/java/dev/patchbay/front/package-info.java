/**
 * Serving clients: the two eras of the protocol, legacy sessions, and the bridge between the eras.
 */
@NullMarked
package dev.patchbay.front;

import org.jspecify.annotations.NullMarked;

/** Threads that run for as long as the gateway does. */
@NullMarked
package dev.patchbay.background;

import org.jspecify.annotations.NullMarked;

/** Monotonic time and timed waits, passed in so that tests can control them. */
@NullMarked
package dev.patchbay.time;

import org.jspecify.annotations.NullMarked;

/**
 * Line input and output, and child processes with the reaper that ends them. Only this package and
 * {@code app} may use the standard streams.
 */
@NullMarked
package dev.patchbay.stdio;

import org.jspecify.annotations.NullMarked;

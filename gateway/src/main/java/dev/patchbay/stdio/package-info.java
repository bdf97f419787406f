/**
 * Lines in, lines out, and child processes with the janitor that ends them. One of the two packages
 * that may touch the standard streams.
 */
@NullMarked
package dev.patchbay.stdio;

import org.jspecify.annotations.NullMarked;

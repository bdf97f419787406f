/** Benchmarks and load runs. They are not part of the normal build. */
@NullMarked
package dev.patchbay.bench;

import org.jspecify.annotations.NullMarked;

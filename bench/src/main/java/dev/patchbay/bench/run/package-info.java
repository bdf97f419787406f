/**
 * The load runs that {@code bench/run} starts: the product, its peers and its limits, measured side
 * by side by the programs in {@code bench/native}. It needs the JDK alone, as it is run from
 * source. Start reading at {@link dev.patchbay.bench.run.BenchMain}.
 */
@NullMarked
package dev.patchbay.bench.run;

import org.jspecify.annotations.NullMarked;

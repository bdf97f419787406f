/**
 * The parts of a call's way, each measured by itself with JMH: {@code bench/parts} runs them. Start
 * reading at {@link dev.patchbay.bench.parts.BenchMessages}, which has the messages that they all
 * use.
 */
@NullMarked
package dev.patchbay.bench.parts;

import org.jspecify.annotations.NullMarked;

/**
 * What code costs while it runs: a profile of one evaluation and the times of methods, both from
 * JDK Flight Recorder, and the state of the heap and the threads.
 */
@NullMarked
package dev.patchbay.repl.kernel.profile;

import org.jspecify.annotations.NullMarked;

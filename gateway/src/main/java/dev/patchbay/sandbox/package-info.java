/**
 * Confines the processes of servers on Linux: with bubblewrap, or with Landlock and a system call
 * filter. A process that cannot be confined as demanded is not started.
 */
@NullMarked
package dev.patchbay.sandbox;

import org.jspecify.annotations.NullMarked;

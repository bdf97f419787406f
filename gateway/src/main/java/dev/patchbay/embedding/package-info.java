/** The Java API for programs that embed a gateway. */
@NullMarked
package dev.patchbay.embedding;

import org.jspecify.annotations.NullMarked;

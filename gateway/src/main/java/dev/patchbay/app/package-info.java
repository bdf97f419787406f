/** The program: entry point, commands and wiring. Start at {@link dev.patchbay.app.Main}. */
@NullMarked
package dev.patchbay.app;

import org.jspecify.annotations.NullMarked;

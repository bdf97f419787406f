/**
 * The program: command line, wiring, dashboard and shutdown. Start at {@link
 * dev.patchbay.app.Main}.
 */
@NullMarked
package dev.patchbay.app;

import org.jspecify.annotations.NullMarked;

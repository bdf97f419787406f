/** The commands of the command line. */
@NullMarked
package dev.patchbay.app.cli;

import org.jspecify.annotations.NullMarked;

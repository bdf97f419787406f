/** The built-in Java REPL as its clients meet it: the packaged program, over real pipes. */
@NullMarked
package dev.patchbay.conformance.repl;

import org.jspecify.annotations.NullMarked;

/** Tests of the packaged program from outside, over its pipes, ports and command line. */
@NullMarked
package dev.patchbay.conformance;

import org.jspecify.annotations.NullMarked;

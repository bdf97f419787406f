/** Tests of the instruments themselves. */
@NullMarked
package dev.patchbay.testkit;

import org.jspecify.annotations.NullMarked;

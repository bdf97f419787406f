/** What the pages claim, and the tests and commands that show it. */
@NullMarked
package dev.patchbay.conformance.claims;

import org.jspecify.annotations.NullMarked;

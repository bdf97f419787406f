/** Checks that every section of the guide names the tests or commands that prove it. */
@NullMarked
package dev.patchbay.conformance.claims;

import org.jspecify.annotations.NullMarked;

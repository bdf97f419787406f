/**
 * The ecosystem as its users see it: the packaged program with real child processes, faulty ones
 * among them. Tests set up a {@link dev.patchbay.conformance.ecosystem.TestInstallation}, open a
 * {@link dev.patchbay.conformance.ecosystem.TestHost} on it, and leave the last checks to their
 * closing.
 */
@NullMarked
package dev.patchbay.conformance.ecosystem;

import org.jspecify.annotations.NullMarked;

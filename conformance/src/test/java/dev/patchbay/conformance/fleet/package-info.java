/**
 * The program among real ones: servers of the npm registry behind it, clients of others before it,
 * and the official conformance suite on both sides. All of it is tagged {@code fleet} and needs the
 * {@link dev.patchbay.conformance.fleet.NpmPackages} that {@code conformance/npm/install} installs.
 */
@NullMarked
package dev.patchbay.conformance.fleet;

import org.jspecify.annotations.NullMarked;

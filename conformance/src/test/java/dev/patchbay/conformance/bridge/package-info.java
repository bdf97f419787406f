/**
 * The bridge between eras and transports, from outside: clients of both eras over stdio and HTTP
 * against servers of both eras over stdio and HTTP. Tests set up a {@link Site} and talk to it by
 * {@link EraClient}s.
 */
@NullMarked
package dev.patchbay.conformance.bridge;

import org.jspecify.annotations.NullMarked;

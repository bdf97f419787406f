/**
 * The packaged program as a server over HTTP, from outside: its front door, what keeps its clients
 * apart, and crowds of them. {@link dev.patchbay.conformance.http.ServeProcess} starts it.
 */
@NullMarked
package dev.patchbay.conformance.http;

import org.jspecify.annotations.NullMarked;

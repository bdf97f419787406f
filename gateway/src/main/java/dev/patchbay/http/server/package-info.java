/** The Streamable HTTP server that clients connect to. */
@NullMarked
package dev.patchbay.http.server;

import org.jspecify.annotations.NullMarked;

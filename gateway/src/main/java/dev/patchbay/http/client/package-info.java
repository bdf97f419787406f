/** Streamable HTTP and SSE transports to servers. */
@NullMarked
package dev.patchbay.http.client;

import org.jspecify.annotations.NullMarked;

/**
 * Streamable HTTP both ways: server-sent events, headers and the origin guard. The only package
 * that knows the HTTP libraries.
 */
@NullMarked
package dev.patchbay.http;

import org.jspecify.annotations.NullMarked;

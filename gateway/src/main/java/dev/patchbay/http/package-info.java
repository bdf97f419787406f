/**
 * Shared parts of Streamable HTTP: headers and server-sent events. The only package that uses HTTP
 * libraries.
 */
@NullMarked
package dev.patchbay.http;

import org.jspecify.annotations.NullMarked;

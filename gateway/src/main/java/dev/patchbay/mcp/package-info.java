/**
 * The Model Context Protocol: versions, eras, methods, results, metadata and error codes. Pure: no
 * threads, no input or output.
 */
@NullMarked
package dev.patchbay.mcp;

import org.jspecify.annotations.NullMarked;

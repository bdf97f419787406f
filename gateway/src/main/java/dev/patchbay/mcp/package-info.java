/**
 * The words of the Model Context Protocol: versions, eras, the method table, tools, results, meta
 * and codes. Pure: no threads, no input or output.
 */
@NullMarked
package dev.patchbay.mcp;

import org.jspecify.annotations.NullMarked;

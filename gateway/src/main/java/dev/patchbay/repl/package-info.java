/** The built-in Java REPL, as an MCP server of its own. */
@NullMarked
package dev.patchbay.repl;

import org.jspecify.annotations.NullMarked;

/**
 * The built-in Java REPL, as an MCP server of its own: tools that evaluate Java in a live session
 * and tell about it. Code runs in a JVM of its own (package {@code kernel}), which needs the module
 * {@code jdk.jshell}. Start at {@link dev.patchbay.repl.ReplSession} for what a session can do, and
 * at {@link dev.patchbay.repl.ReplService} for what clients see of it.
 */
@NullMarked
package dev.patchbay.repl;

import org.jspecify.annotations.NullMarked;

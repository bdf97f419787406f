/**
 * Servers from the MCP registry and from MCP bundles: finds them, reads what they declare, and
 * makes configuration entries of them. Nothing here starts a program.
 */
@NullMarked
package dev.patchbay.registry;

import org.jspecify.annotations.NullMarked;

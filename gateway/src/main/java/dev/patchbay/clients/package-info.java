/**
 * Serves MCP clients of both eras on top of the gateway. Start with {@link
 * dev.patchbay.clients.ClientHandler}.
 */
@NullMarked
package dev.patchbay.clients;

import org.jspecify.annotations.NullMarked;

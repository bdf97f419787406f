/**
 * JSON-RPC 2.0 and nothing of MCP: the kinds of message, ids, errors, the decoder, and the serving
 * and the calling side of a connection.
 */
@NullMarked
package dev.patchbay.jsonrpc;

import org.jspecify.annotations.NullMarked;

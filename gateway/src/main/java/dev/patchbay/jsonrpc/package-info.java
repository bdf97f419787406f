/**
 * JSON-RPC 2.0 without MCP: messages, ids, errors, the codec, and connections with inbound requests
 * and outbound calls.
 */
@NullMarked
package dev.patchbay.jsonrpc;

import org.jspecify.annotations.NullMarked;

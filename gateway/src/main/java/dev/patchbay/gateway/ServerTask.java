package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

/**
 * A task of a server.
 *
 * @param era the era of its format
 * @param id the server's id for it
 */
public record ServerTask(ServerId server, Era era, String id) {}

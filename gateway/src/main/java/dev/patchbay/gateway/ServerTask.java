package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

/**
 * A task as its server knows it.
 *
 * @param era the era whose form of tasks it has
 * @param id what the server calls it
 */
public record ServerTask(ServerId server, Era era, String id) {}

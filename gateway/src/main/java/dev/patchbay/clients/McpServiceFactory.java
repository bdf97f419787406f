package dev.patchbay.clients;

import dev.patchbay.mcp.Implementation;

/**
 * Creates a service that is not part of the gateway, such as the Java REPL. It is found by the name
 * of its class and needs a public constructor without parameters.
 */
public interface McpServiceFactory {
    /** A service with resources of its own. */
    interface CloseableMcpService extends McpService, AutoCloseable {
        @Override
        void close();
    }

    CloseableMcpService create(Implementation identity);
}

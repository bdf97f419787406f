package dev.patchbay.repl;

import dev.patchbay.clients.McpServiceFactory;
import dev.patchbay.mcp.Implementation;

/** Creates the service for {@code patchbay repl}, which finds this class by its name. */
public final class ReplServiceFactory implements McpServiceFactory {
    @Override
    public ReplService create(Implementation identity) {
        return ReplService.create(identity);
    }
}

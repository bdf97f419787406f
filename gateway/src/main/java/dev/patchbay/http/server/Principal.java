package dev.patchbay.http.server;

import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Set;

/**
 * Who sent a request, as its token says, and what the token gives access to.
 *
 * @param view the only view that the token gives access to; null for no such restriction
 */
public record Principal(String name, Set<AccessScope> scopes, @Nullable String view) {
    public Principal {
        scopes = Set.copyOf(scopes);
        if (view != null && !Set.of(AccessScope.MCP).containsAll(scopes)) {
            throw new IllegalArgumentException("Only the scope mcp has views");
        }
    }

    /** A principal without a view. */
    public Principal(String name, Set<AccessScope> scopes) {
        this(name, scopes, null);
    }

    /** A principal with access to everything. */
    public static Principal withAllScopes(String name) {
        return new Principal(name, EnumSet.allOf(AccessScope.class));
    }

    public boolean has(AccessScope scope) {
        return scopes.contains(scope);
    }
}

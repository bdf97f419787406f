package dev.patchbay.http.server;

import java.util.EnumSet;
import java.util.Set;

/** Who sent a request, as its token says, and what the token gives access to. */
public record Principal(String name, Set<AccessScope> scopes) {
    public Principal {
        scopes = Set.copyOf(scopes);
    }

    /** A principal with access to everything. */
    public static Principal withAllScopes(String name) {
        return new Principal(name, EnumSet.allOf(AccessScope.class));
    }

    public boolean has(AccessScope scope) {
        return scopes.contains(scope);
    }
}

package dev.patchbay.http.server;

import java.util.Locale;
import java.util.Optional;

/** What a token gives access to. */
public enum AccessScope {
    /** {@code /mcp}: tools, prompts and resources. */
    MCP,
    /** {@code /api}: the dashboard, with the principal's own calls. */
    DASHBOARD,
    /** {@code /metrics}. */
    METRICS,
    /** The calls of all principals, and routes that name no scope. */
    ADMIN;

    /** The name that commands, files and error messages use. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<AccessScope> of(String text) {
        for (AccessScope scope : values()) {
            if (scope.text().equals(text)) {
                return Optional.of(scope);
            }
        }
        return Optional.empty();
    }
}

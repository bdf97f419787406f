package dev.patchbay.registry;

import dev.patchbay.config.edit.ConfigEntry;

import java.util.List;
import java.util.Map;

/**
 * What adding a server would write.
 *
 * @param entry the entry of the configuration; secrets in it are references
 * @param secrets the secrets to store, by the names that the entry refers to
 * @param unset optional inputs that have no value
 */
public record ServerPlan(
        ConfigEntry entry, Map<String, String> secrets, List<DeclaredInput> unset) {
    public ServerPlan {
        secrets = Map.copyOf(secrets);
        unset = List.copyOf(unset);
    }

    /** Its text has no secrets. */
    @Override
    public String toString() {
        return entry.toString();
    }
}

package dev.patchbay.config;

import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The differences between two configurations, so that only changed servers are restarted. */
public record ConfigurationDiff(
        List<ServerSpec> added,
        List<ServerId> removed,
        List<Change> changed,
        List<ServerId> unchanged,
        boolean settingsChanged) {
    /** A server that is in both configurations and has changed. */
    public record Change(ServerSpec before, ServerSpec after) {}

    public ConfigurationDiff {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
        changed = List.copyOf(changed);
        unchanged = List.copyOf(unchanged);
    }

    public static ConfigurationDiff between(Configuration before, Configuration after) {
        Map<ServerId, ServerSpec> old = new LinkedHashMap<>();
        before.servers().forEach(server -> old.put(server.id(), server));
        var added = new ArrayList<ServerSpec>();
        var changed = new ArrayList<Change>();
        var unchanged = new ArrayList<ServerId>();
        for (ServerSpec server : after.servers()) {
            ServerSpec was = old.remove(server.id());
            if (was == null) {
                added.add(server);
            } else if (was.equals(server)) {
                unchanged.add(server.id());
            } else {
                changed.add(new Change(was, server));
            }
        }
        boolean settings = !before.settings().equals(after.settings());
        return new ConfigurationDiff(
                added, List.copyOf(old.keySet()), changed, unchanged, settings);
    }

    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty() && changed.isEmpty() && !settingsChanged;
    }
}

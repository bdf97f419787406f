package dev.patchbay.config;

import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is different between two configurations, so that only that is disturbed. */
public record ConfigurationDiff(
        List<ServerSpec> added,
        List<ServerId> removed,
        List<Change> changed,
        List<ServerId> unchanged,
        boolean settingsChanged) {
    /** What a change of a server asks for. */
    public enum Effect {
        /** The server is reached in another way: a connection must be made anew. */
        CONNECTION,
        /** It was switched on or off, and nothing else. */
        SWITCH,
        /** A connection can stay: timeouts, retries, words about the server. */
        DETAILS
    }

    /** A server that is in both configurations, and differs. */
    public record Change(ServerSpec before, ServerSpec after, Effect effect) {}

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
                changed.add(new Change(was, server, effectOf(was, server)));
            }
        }
        boolean settings = !before.settings().equals(after.settings());
        return new ConfigurationDiff(
                added, List.copyOf(old.keySet()), changed, unchanged, settings);
    }

    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty() && changed.isEmpty() && !settingsChanged;
    }

    private static Effect effectOf(ServerSpec before, ServerSpec after) {
        if (!before.transport().equals(after.transport())
                || before.options().era() != after.options().era()) {
            return Effect.CONNECTION;
        }
        return before.withEnabled(after.enabled()).equals(after) ? Effect.SWITCH : Effect.DETAILS;
    }
}

package dev.patchbay.catalog;

import dev.patchbay.catalog.Offer.Standing;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Splice;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All tools, or all prompts, in their order and by every name a client may use. The full and the
 * advertised names of a server begin with its id and a dot or underscore, which no id contains, so
 * those of different servers cannot meet.
 */
final class NameIndex<T extends Named> {
    /** Who looks at the list. */
    private record View(NameStyle style, Era era) {}

    private final List<T> entries;
    private final Map<ServerId, Standing> servers;
    private final Map<String, T> byName = new HashMap<>();
    private final Map<String, List<T>> byBareName = new HashMap<>();

    /** What must not be called, by every name that somebody may try. */
    private final Map<String, FullName> filtered = new HashMap<>();

    private final Map<String, FullName> filteredBare = new HashMap<>();
    private final Map<View, List<Json>> shown = new ConcurrentHashMap<>();
    private final Map<View, Json> results = new ConcurrentHashMap<>();
    private final String member;

    /** The entries of the list that is the member of that name in its results. */
    NameIndex(String member, List<T> entries, List<T> filtered, Map<ServerId, Standing> servers) {
        this.member = member;
        this.entries = List.copyOf(entries);
        this.servers = servers;
        for (T entry : entries) {
            FullName name = entry.name();
            byName.put(name.advertised(NameStyle.DOTTED), entry);
            byName.put(name.advertised(NameStyle.SAFE), entry);
            byName.put(name.text(), entry);
            if (!name.server().equals(Catalog.SELF)) {
                byBareName.computeIfAbsent(name.name(), _ -> new ArrayList<>(1)).add(entry);
            }
        }
        for (T entry : filtered) {
            FullName name = entry.name();
            this.filtered.put(name.advertised(NameStyle.DOTTED), name);
            this.filtered.put(name.advertised(NameStyle.SAFE), name);
            this.filtered.put(name.text(), name);
            filteredBare.putIfAbsent(name.name(), name);
        }
    }

    List<T> entries() {
        return entries;
    }

    Lookup<T> lookup(String name) {
        T entry = byName.get(name);
        if (entry != null) {
            return new Lookup.Found<>(entry);
        }
        FullName barred = filtered.get(name);
        if (barred != null) {
            return new Lookup.Filtered<>(barred);
        }
        ServerId owner = owner(name).orElse(null);
        if (owner != null && servers.get(owner) != Standing.CURRENT) {
            return new Lookup.Absent<>(owner);
        }
        List<T> bare = byBareName.getOrDefault(name, List.of());
        return switch (bare.size()) {
            case 0 -> absent(name, owner);
            case 1 -> new Lookup.Found<>(bare.getFirst());
            default -> new Lookup.Ambiguous<>(bare.stream().map(Named::name).toList());
        };
    }

    private Lookup<T> absent(String name, @Nullable ServerId owner) {
        FullName barred = filteredBare.get(name);
        return barred == null ? new Lookup.Absent<>(owner) : new Lookup.Filtered<>(barred);
    }

    /**
     * The server whose full or safe name this could be. As long as that server's list is not known
     * for sure, the name is not taken for the bare name of another server's tool: a server must not
     * get the calls of one that is away by naming a tool after it.
     */
    private Optional<ServerId> owner(String name) {
        int end = 0;
        while (end < name.length() && name.charAt(end) != '.' && name.charAt(end) != '_') {
            end++;
        }
        if (end == name.length() || (name.charAt(end) == '_' && !name.startsWith("__", end))) {
            return Optional.empty();
        }
        String id = name.substring(0, end);
        return Optional.of(id)
                .filter(ServerId::isLegal)
                .map(ServerId::new)
                .filter(server -> server.equals(Catalog.SELF) || servers.containsKey(server));
    }

    /** The name under which a client of that style sees an entry. */
    String advertised(T entry, NameStyle style) {
        FullName name = entry.name();
        if (style == NameStyle.BARE) {
            // Alone under that name; otherwise a call by it would go elsewhere or nowhere.
            boolean own =
                    lookup(name.name()) instanceof Lookup.Found<T>(T found)
                            && found.name().equals(name);
            return name.advertised(own ? NameStyle.BARE : NameStyle.DOTTED);
        }
        return name.advertised(style);
    }

    /** The definitions as a client of that style and era sees them. */
    List<Json> shown(NameStyle style, Era era) {
        return shown.computeIfAbsent(
                new View(style, era),
                _ ->
                        entries.stream()
                                .map(it -> renamed(it.shownTo(era), advertised(it, style)))
                                .toList());
    }

    /** The same as the result that lists them, ready to send. */
    Json result(NameStyle style, Era era) {
        return results.computeIfAbsent(
                new View(style, era), _ -> result(member, shown(style, era)));
    }

    static Json result(String member, List<Json> elements) {
        var array = new JsonWriter(1024).beginArray();
        elements.forEach(array::value);
        Json whole = array.endArray().toJson();
        return new JsonWriter().beginObject().member(member, whole).endObject().toJson();
    }

    private static Json renamed(Json definition, String name) {
        Json value = Json.string(name);
        return value.equals(definition.member("name"))
                ? definition
                : Splice.with(definition, "name", value);
    }
}

package dev.patchbay.catalog;

import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * All tools, or all prompts, in their order and by every name a client may use. The full and the
 * advertised names of a server begin with its id and a dot or underscore, which no id contains, so
 * those of different servers cannot meet.
 */
final class NameIndex<T extends NamedEntry> {
    /** Who looks at the list. */
    private record ClientView(NameStyle style, Era era) {}

    private final List<T> entries;
    private final Map<ServerId, Freshness> freshnessByServer;
    private final Map<String, T> byName = new HashMap<>();
    private final Map<String, List<T>> byBareName = new HashMap<>();

    /** What must not be called, by every name that somebody may try. */
    private final Map<String, FullName> filteredByName = new HashMap<>();

    private final Map<String, FullName> filteredByBareName = new HashMap<>();
    private final Map<ClientView, List<Json>> advertisedDefinitions = new ConcurrentHashMap<>();
    private final Map<ClientView, Json> listResults = new ConcurrentHashMap<>();
    private final String member;
    private final Map<FullName, String> renamed;

    /** The entries that have another name, by that name; they need not be listed now. */
    private final Map<String, FullName> originalByNewName = new HashMap<>();

    /**
     * The entries of the list that is the member of that name in its results.
     *
     * @param renamed the names of entries that are advertised under another name
     */
    NameIndex(
            String member,
            List<T> entries,
            List<T> filtered,
            Map<ServerId, Freshness> servers,
            Map<FullName, String> renamed) {
        this.member = member;
        this.renamed = renamed;
        renamed.forEach((original, name) -> originalByNewName.put(name, original));
        this.entries = List.copyOf(entries);
        this.freshnessByServer = servers;
        for (T entry : entries) {
            FullName name = entry.name();
            byName.put(name.advertisedName(NameStyle.DOTTED), entry);
            byName.put(name.advertisedName(NameStyle.SAFE), entry);
            byName.put(name.text(), entry);
            String newName = renamed.get(name);
            if (newName != null) {
                byName.put(newName, entry);
            }
            if (!name.server().equals(Catalog.GATEWAY_ID)) {
                byBareName.computeIfAbsent(name.name(), _ -> new ArrayList<>(1)).add(entry);
            }
        }
        for (T entry : filtered) {
            FullName name = entry.name();
            this.filteredByName.put(name.advertisedName(NameStyle.DOTTED), name);
            this.filteredByName.put(name.advertisedName(NameStyle.SAFE), name);
            this.filteredByName.put(name.text(), name);
            filteredByBareName.putIfAbsent(name.name(), name);
        }
    }

    boolean hasSameRenaming(NameIndex<T> other) {
        return renamed.equals(other.renamed);
    }

    List<T> entries() {
        return entries;
    }

    LookupResult<T> lookup(String name) {
        T entry = byName.get(name);
        if (entry != null) {
            return new LookupResult.Found<>(entry);
        }
        FullName barred = filteredByName.get(name);
        if (barred != null) {
            return new LookupResult.Filtered<>(barred);
        }
        FullName original = originalByNewName.get(name);
        if (original != null) {
            ServerId server = original.server();
            return new LookupResult.NotFound<>(
                    freshnessByServer.containsKey(server) ? server : null);
        }
        ServerId owner = findOwner(name).orElse(null);
        if (owner != null && freshnessByServer.get(owner) != Freshness.CURRENT) {
            return new LookupResult.NotFound<>(owner);
        }
        List<T> bare = byBareName.getOrDefault(name, List.of());
        return switch (bare.size()) {
            case 0 -> notFound(name, owner);
            case 1 -> new LookupResult.Found<>(bare.getFirst());
            default -> new LookupResult.Ambiguous<>(bare.stream().map(NamedEntry::name).toList());
        };
    }

    private LookupResult<T> notFound(String name, @Nullable ServerId owner) {
        FullName barred = filteredByBareName.get(name);
        return barred == null
                ? new LookupResult.NotFound<>(owner)
                : new LookupResult.Filtered<>(barred);
    }

    /**
     * The server whose full or safe name this could be. As long as that server's list is not known
     * for sure, the name is not taken for the bare name of another server's tool: a server must not
     * get the calls of one that is away by naming a tool after it.
     */
    private Optional<ServerId> findOwner(String name) {
        int end = 0;
        while (end < name.length() && name.charAt(end) != '.' && name.charAt(end) != '_') {
            end++;
        }
        if (end == name.length() || (name.charAt(end) == '_' && !name.startsWith("__", end))) {
            return Optional.empty();
        }
        String id = name.substring(0, end);
        return Optional.of(id)
                .filter(ServerId::isValid)
                .map(ServerId::new)
                .filter(
                        server ->
                                server.equals(Catalog.GATEWAY_ID)
                                        || freshnessByServer.containsKey(server));
    }

    /** The new name of an entry that is renamed; else its full name. */
    String displayName(T entry) {
        return renamed.getOrDefault(entry.name(), entry.name().text());
    }

    /** The name under which a client of that style sees an entry. */
    String advertisedName(T entry, NameStyle style) {
        FullName name = entry.name();
        String newName = renamed.get(name);
        if (newName != null) {
            return newName;
        }
        if (style == NameStyle.BARE) {
            // Alone under that name; otherwise a call by it would go elsewhere or nowhere.
            boolean own =
                    lookup(name.name()) instanceof LookupResult.Found<T>(T found)
                            && found.name().equals(name);
            return name.advertisedName(own ? NameStyle.BARE : NameStyle.DOTTED);
        }
        return name.advertisedName(style);
    }

    /** The definitions as a client of that style and era sees them. */
    List<Json> advertisedDefinitions(NameStyle style, Era era) {
        return advertisedDefinitions.computeIfAbsent(
                new ClientView(style, era), _ -> definitions(style, era).toList());
    }

    private Stream<Json> definitions(NameStyle style, Era era) {
        return entries.stream()
                .map(it -> withName(it.definitionFor(era), advertisedName(it, style)));
    }

    /** The same as the result of a list method, ready to send. */
    Json listResult(NameStyle style, Era era) {
        return listResults.computeIfAbsent(
                new ClientView(style, era), _ -> listResult(member, definitions(style, era)));
    }

    /**
     * The array is a value of its own, so that the result knows where the array ends. Otherwise
     * every request would scan the whole array to find the next member.
     */
    static Json listResult(String member, Stream<Json> elements) {
        var array = new JsonWriter(1024).beginArray();
        elements.forEach(array::value);
        Json whole = array.endArray().toJson();
        return new JsonWriter().beginObject().member(member, whole).endObject().toJson();
    }

    private static Json withName(Json definition, String name) {
        Json value = Json.string(name);
        return value.equals(definition.member("name"))
                ? definition
                : MemberPatch.with(definition, "name", value);
    }
}

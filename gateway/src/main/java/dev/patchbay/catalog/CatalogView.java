package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A named part of the catalog: some servers, some of their tools, and the names of the tools. The
 * prompts, resources and resource templates of a view are all those of its servers.
 *
 * @param servers the servers; null for all
 * @param tools which tools, by patterns of full names
 * @param names the style of names; null for that of the gateway
 * @param renamed the names of tools that have another name in this view than anywhere else
 */
public record CatalogView(
        String name,
        @Nullable Set<ServerId> servers,
        ToolFilter tools,
        @Nullable NameStylePolicy names,
        Map<FullName, String> renamed) {
    public static final int NAME_CHARS_MAX = 64;

    /** The longest name that a tool can be given. */
    public static final int TOOL_NAME_CHARS_MAX = 64;

    /** The whole catalog, which has no name. */
    public static final CatalogView WHOLE =
            new CatalogView("", null, ToolFilter.ALLOW_ALL, null, Map.of());

    public CatalogView {
        servers = servers == null ? null : Set.copyOf(servers);
        renamed = Map.copyOf(renamed);
        boolean isWhole = servers == null && tools.allowsAll() && renamed.isEmpty();
        if (name.isEmpty() ? !isWhole : !isValidName(name)) {
            throw new IllegalArgumentException("Not the name of a view: " + name);
        }
        if (!renamed.values().stream().allMatch(CatalogView::isValidToolName)
                || new HashSet<>(renamed.values()).size() < renamed.size()) {
            throw new IllegalArgumentException("A new name is invalid or occurs twice");
        }
    }

    /** A view without anything. */
    public static CatalogView empty(String name) {
        return new CatalogView(
                name, Set.of(), new ToolFilter(List.of(), List.of()), null, Map.of());
    }

    /** The same with the names that the gateway uses elsewhere. */
    public CatalogView withDefaultNames() {
        return new CatalogView(name, servers, tools, null, renamed);
    }

    /** Whether a text can be the name of a view: letters, digits, underscores and hyphens. */
    public static boolean isValidName(String name) {
        return !name.isEmpty() && name.length() <= NAME_CHARS_MAX && isPlain(name);
    }

    /**
     * Whether a tool can be renamed so: to letters, digits, hyphens and single underscores. Other
     * names contain a dot or two underscores, so that a new name cannot stand for another tool.
     */
    public static boolean isValidToolName(String name) {
        return !name.isEmpty()
                && name.length() <= TOOL_NAME_CHARS_MAX
                && isPlain(name)
                && !name.contains("__");
    }

    private static boolean isPlain(String name) {
        return name.chars()
                .allMatch(
                        c ->
                                (c >= 'a' && c <= 'z')
                                        || (c >= 'A' && c <= 'Z')
                                        || (c >= '0' && c <= '9')
                                        || c == '_'
                                        || c == '-');
    }

    /** Whether this is the whole catalog and not a view of it. */
    public boolean isWhole() {
        return name.isEmpty();
    }

    /** Whether the view has a server. The gateway's own tools are part of every view. */
    public boolean shows(ServerId server) {
        return servers == null || servers.contains(server) || server.equals(Catalog.GATEWAY_ID);
    }

    boolean showsTool(FullName tool) {
        return shows(tool.server()) && tools.allows(tool.text());
    }

    /**
     * What a listing of one of its servers has in this view. Of the tools that the view does not
     * have, it does not tell faults and filters either.
     */
    public Listing restrict(Listing listing) {
        if (isWhole()) {
            return listing;
        }
        ServerId server = listing.server();
        return new Listing(
                server,
                listing.tools().stream().filter(it -> showsTool(it.name())).toList(),
                listing.prompts(),
                listing.resources(),
                listing.templates(),
                listing.withheld().stream().filter(it -> showsFault(server, it)).toList(),
                List.of(),
                listing.instructions());
    }

    private boolean showsFault(ServerId server, WithheldEntry entry) {
        return !entry.kind().equals("tool")
                || entry.name().isEmpty()
                || showsTool(new FullName(server, entry.name()));
    }
}

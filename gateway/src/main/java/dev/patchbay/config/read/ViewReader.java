package dev.patchbay.config.read;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.NameStylePolicy;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.ServerKeyMapper;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the views of the catalog. */
final class ViewReader {
    static final int VIEWS_MAX = 100;

    private static final int RENAMED_MAX = 1_000;

    private final ObjectReader fields;
    private final String name;

    private ViewReader(ObjectReader fields, String name) {
        this.fields = fields;
        this.name = name;
    }

    /** The views of an object, whose keys are their names. */
    static List<CatalogView> readAll(ObjectReader views) {
        var all = new ArrayList<CatalogView>();
        for (SyntaxNode.Member member : views.members()) {
            String name = member.name().value();
            ObjectReader fields = views.readObject(name);
            if (!CatalogView.isValidName(name)) {
                views.addFinding(
                        Kind.ILLEGAL_ID,
                        views.locationOf(member),
                        SanitizedText.quote(name) + " is not a valid name of a view",
                        "Write at most %d letters, digits, hyphens and underscores"
                                .formatted(CatalogView.NAME_CHARS_MAX));
            } else {
                all.add(new ViewReader(fields, name).read());
            }
        }
        if (all.size() > VIEWS_MAX) {
            views.addFinding(
                    Kind.WRONG_VALUE,
                    views.location(),
                    "More than " + VIEWS_MAX + " views",
                    "Remove some");
        }
        return List.copyOf(all);
    }

    private CatalogView read() {
        var view = new CatalogView(name, readServers(), readTools(), readNames(), readRenamed());
        fields.warnOfUnknownKeys(Map.of("include", "tools.include", "exclude", "tools.exclude"));
        return view;
    }

    /** The servers by the ids that their keys become; null if the key is missing. */
    private @Nullable Set<ServerId> readServers() {
        List<String> keys = fields.readStrings("servers");
        if (!fields.has("servers")) {
            return null;
        }
        var ids = new LinkedHashSet<ServerId>();
        for (String key : keys) {
            ServerId id = ServerKeyMapper.toServerId(key);
            if (id == null) {
                fields.addFinding(
                        Kind.WRONG_VALUE,
                        fields.locationOf("servers"),
                        SanitizedText.quote(key) + " is not the name of a server",
                        "Write the names of servers");
            } else {
                ids.add(id);
            }
        }
        return ids;
    }

    private ToolFilter readTools() {
        ObjectReader filter = fields.readObject("tools");
        List<String> include = ServerReader.readPatterns(filter, "include");
        List<String> exclude = ServerReader.readPatterns(filter, "exclude");
        filter.warnOfUnknownKeys(Map.of("allow", "include", "deny", "exclude"));
        return new ToolFilter(
                filter.has("include") ? include : ToolFilter.ALLOW_ALL.include(), exclude);
    }

    private @Nullable NameStylePolicy readNames() {
        NameStylePolicy names =
                fields.readConstant("names", NameStylePolicy.class, NameStylePolicy.AUTO);
        return fields.has("names") ? names : null;
    }

    private Map<FullName, String> readRenamed() {
        ObjectReader names = fields.readObject("rename");
        Map<FullName, String> renamed = new LinkedHashMap<>();
        var used = new HashSet<String>();
        for (SyntaxNode.Member member : names.members()) {
            String key = member.name().value();
            FullName tool = FullName.parse(key).orElse(null);
            String newName = names.readString(key);
            if (tool == null) {
                names.addFinding(
                        Kind.WRONG_VALUE,
                        names.locationOf(member),
                        SanitizedText.quote(key) + " is not the full name of a tool",
                        "Write the server, a dot and the tool, such as \"github.search\"");
            } else if (newName != null && !CatalogView.isValidToolName(newName)) {
                names.addFinding(
                        Kind.WRONG_VALUE,
                        names.locationOf(key),
                        "Not a valid name",
                        "Write at most %d letters, digits, hyphens and single underscores"
                                .formatted(CatalogView.TOOL_NAME_CHARS_MAX));
            } else if (newName != null && !used.add(newName)) {
                names.addFinding(
                        Kind.CONFLICT,
                        names.locationOf(key),
                        "Another tool of this view has the same new name",
                        "Choose another name");
            } else if (newName != null) {
                renamed.put(tool, newName);
            }
        }
        if (renamed.size() > RENAMED_MAX) {
            names.addFinding(
                    Kind.WRONG_VALUE,
                    names.location(),
                    "More than " + RENAMED_MAX + " new names",
                    "Remove some");
        }
        return renamed;
    }

    /** Points out the servers of views that the file does not contain. */
    static void warnOfUnknownServers(
            ObjectReader settings, List<CatalogView> views, Set<ServerId> known) {
        for (CatalogView view : views) {
            Set<ServerId> named = view.servers() == null ? Set.of() : view.servers();
            for (ServerId id : named) {
                if (!known.contains(id) && !id.value().equals(ServerKeyMapper.RESERVED_ID)) {
                    settings.addFinding(
                            Kind.DOUBTFUL,
                            settings.locationOf("views"),
                            "The view %s names the server %s, which does not exist"
                                    .formatted(view.name(), id),
                            "Add the server, or remove it from the view");
                }
            }
        }
    }
}

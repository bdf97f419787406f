package dev.patchbay.config.hosts;

import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.edit.EditableConfig;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.hosts.HostFile.Syntax;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.FindingCollector.Location;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;
import dev.patchbay.config.syntax.TomlParser;
import dev.patchbay.config.syntax.YamlParser;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The text of a host's file, with operations to add and remove entries. */
final class HostFileText {
    /** What Continue requires in a file besides the servers. */
    private static final String CONTINUE_HEADER = "name: Patchbay\nversion: 1.0.0\nschema: v1\n";

    /** The keys of a YAML file that can hold servers. */
    private static final Set<String> YAML_KEYS = Set.of("extensions", "mcpServers");

    private final HostFile file;
    private final String text;

    HostFileText(HostFile file, String text) {
        this.file = file;
        this.text = text;
    }

    /** Parses the file; null if it cannot be read, and the errors are added. */
    static SyntaxNode.@Nullable ObjectNode parse(HostFile file, String text, List<Finding> faults) {
        return switch (file.format().syntax()) {
            case TOML -> TomlParser.parse(text, faults);
            case YAML -> YamlParser.parse(text, YAML_KEYS, faults);
            case JSON -> parseJson(text, faults);
        };
    }

    private static SyntaxNode.@Nullable ObjectNode parseJson(String text, List<Finding> faults) {
        var findings = new FindingCollector(text);
        SyntaxNode root = JsoncParser.parse(text, findings);
        if (root != null && !(root instanceof SyntaxNode.ObjectNode)) {
            var spot = new Location("", root.from());
            findings.add(Kind.WRONG_TYPE, spot, "The file must contain one object", "Write {…}");
        }
        // Duplicate keys are the host's concern.
        findings.sorted().stream()
                .filter(finding -> finding.isError() && finding.kind() != Kind.DUPLICATE_KEY)
                .forEach(faults::add);
        return root instanceof SyntaxNode.ObjectNode table && faults.isEmpty() ? table : null;
    }

    /** The errors that prevent editing; empty if there are none. */
    List<Finding> errors() {
        var faults = new ArrayList<Finding>();
        SyntaxNode.ObjectNode root = parse(file, text, faults);
        SyntaxNode servers = root == null ? null : root.value(file.serversKey());
        if (servers != null && !isServerList(servers)) {
            var place = new FindingCollector(text).positionAt(servers.from());
            boolean sequence = file.format() == Format.CONTINUE;
            String problem = sequence ? "Must be a sequence" : "Must be an object";
            String remedy = sequence ? "Begin each server with a dash" : "Write {…}";
            faults.add(new Finding(Kind.WRONG_TYPE, place, file.serversKey(), problem, remedy));
        }
        return faults;
    }

    private boolean isServerList(SyntaxNode servers) {
        if (file.format().syntax() == Syntax.YAML && servers instanceof SyntaxNode.NullNode) {
            return true;
        }
        return file.format() == Format.CONTINUE
                ? servers instanceof SyntaxNode.ArrayNode
                : servers instanceof SyntaxNode.ObjectNode;
    }

    /** The servers of the list that Patchbay is added to, by their names. */
    SyntaxNode.@Nullable ObjectNode servers() {
        SyntaxNode.ObjectNode root = parse(file, text, new ArrayList<>());
        SyntaxNode servers = root == null ? null : root.value(file.serversKey());
        return switch (servers) {
            case SyntaxNode.ObjectNode table -> table;
            case SyntaxNode.ArrayNode list when file.format() == Format.CONTINUE ->
                    YamlTextEditor.byName(list);
            case null, default -> null;
        };
    }

    /** Patchbay's entry as written; null if there is none. */
    SyntaxNode.@Nullable ObjectNode ownNode() {
        SyntaxNode.ObjectNode servers = servers();
        return servers == null ? null : servers.object(PatchbayEntry.KEY);
    }

    /** The definition of Patchbay's entry; null if there is none. */
    @Nullable Json ownEntry() {
        SyntaxNode.ObjectNode own = ownNode();
        return own == null ? null : SyntaxNodeJson.toJson(own);
    }

    /** Whether Patchbay's entry starts Patchbay, and is not another server of that name. */
    boolean hasPatchbay() {
        SyntaxNode.ObjectNode own = ownNode();
        return own != null && PatchbayEntry.isStartedBy(own, file.format());
    }

    /** The text with Patchbay's entry added or replaced. */
    String withEntry(Json definition) {
        return switch (file.format().syntax()) {
            case TOML, YAML -> {
                String rest = ownEntry() == null ? text : withoutEntry();
                yield new HostFileText(file, rest).withServer(PatchbayEntry.KEY, definition);
            }
            case JSON -> {
                var draft = editable();
                SyntaxNode.Member member = draft.findMemberByKey(PatchbayEntry.KEY);
                yield member == null
                        ? withServer(PatchbayEntry.KEY, definition)
                        : draft.withDefinition(member, definition);
            }
        };
    }

    /** The text with a server added that it does not have. */
    String withServer(String name, Json definition) {
        return switch (file.format().syntax()) {
            case TOML ->
                    TomlTextEditor.addTable(text, List.of(file.serversKey(), name), definition);
            case JSON -> editable().withEntry(new ConfigEntry(name, definition));
            case YAML ->
                    file.format() == Format.CONTINUE
                            ? yaml(text.isBlank() ? CONTINUE_HEADER : text).addElement(definition)
                            : yaml(text.isBlank() ? "" : text).addMember(name, definition);
        };
    }

    String withoutEntry() {
        var path = List.of(file.serversKey());
        return withoutServer(new ServerPlace(file, path, PatchbayEntry.KEY));
    }

    /** The text without a server; the same if it cannot be removed. */
    String withoutServer(ServerPlace place) {
        return switch (file.format().syntax()) {
            case TOML -> {
                var path = new ArrayList<>(place.path());
                path.add(place.key());
                yield TomlTextEditor.removeTable(text, path);
            }
            case YAML -> yaml(text).remove(place.key());
            case JSON -> EditableConfig.withoutMember(text, place.path(), place.key());
        };
    }

    /** The entry of a server; null if there is none. */
    SyntaxNode.@Nullable ObjectNode server(ServerPlace place) {
        SyntaxNode node = parse(file, text, new ArrayList<>());
        for (String key : place.path()) {
            node = node instanceof SyntaxNode.ObjectNode table ? table.value(key) : null;
        }
        return switch (node) {
            case SyntaxNode.ObjectNode table -> table.object(place.key());
            case SyntaxNode.ArrayNode list -> YamlTextEditor.byName(list).object(place.key());
            case null, default -> null;
        };
    }

    boolean hasServer(ServerPlace place) {
        return server(place) != null;
    }

    private YamlTextEditor yaml(String content) {
        return new YamlTextEditor(content, file.serversKey());
    }

    private EditableConfig editable() {
        return new EditableConfig(
                text.isBlank() ? EditableConfig.EMPTY_FILE : text, List.of(file.serversKey()));
    }
}

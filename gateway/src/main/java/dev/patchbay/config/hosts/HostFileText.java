package dev.patchbay.config.hosts;

import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.edit.EditableConfig;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.FindingCollector.Location;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;
import dev.patchbay.config.syntax.TomlParser;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The text of a host's file, with operations to add and remove Patchbay's entry. */
final class HostFileText {
    static final String ENTRY_KEY = "patchbay";

    private final HostFile file;
    private final String text;

    HostFileText(HostFile file, String text) {
        this.file = file;
        this.text = text;
    }

    private boolean isToml() {
        return file.format() == Format.CODEX;
    }

    /** Parses the file; null if it cannot be read, and the errors are added. */
    static SyntaxNode.@Nullable ObjectNode parse(HostFile file, String text, List<Finding> faults) {
        if (file.format() == Format.CODEX) {
            return TomlParser.parse(text, faults);
        }
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
        if (servers != null && !(servers instanceof SyntaxNode.ObjectNode)) {
            var place = new FindingCollector(text).positionAt(servers.from());
            var problem = "Must be an object";
            faults.add(
                    new Finding(Kind.WRONG_TYPE, place, file.serversKey(), problem, "Write {…}"));
        }
        return faults;
    }

    /** The definition of Patchbay's entry; null if there is none. */
    @Nullable Json ownEntry() {
        SyntaxNode.ObjectNode root = parse(file, text, new ArrayList<>());
        SyntaxNode.ObjectNode servers = root == null ? null : root.object(file.serversKey());
        SyntaxNode.ObjectNode own = servers == null ? null : servers.object(ENTRY_KEY);
        return own == null ? null : SyntaxNodeJson.toJson(own);
    }

    /** The text with the entry added or replaced. */
    String withEntry(Json definition) {
        if (isToml()) {
            return TomlTextEditor.addTable(
                    ownEntry() == null ? text : withoutEntry(), entryPath(), definition);
        }
        var draft = editable();
        SyntaxNode.Member member = draft.findMemberByKey(ENTRY_KEY);
        return member == null
                ? draft.withEntry(new ConfigEntry(ENTRY_KEY, definition))
                : draft.withDefinition(member, definition);
    }

    String withoutEntry() {
        if (isToml()) {
            return TomlTextEditor.removeTable(text, entryPath());
        }
        var draft = editable();
        SyntaxNode.Member member = draft.findMemberByKey(ENTRY_KEY);
        return member == null ? text : draft.withoutMember(member);
    }

    private List<String> entryPath() {
        return List.of(file.serversKey(), ENTRY_KEY);
    }

    private EditableConfig editable() {
        return new EditableConfig(
                text.isBlank() ? EditableConfig.EMPTY_FILE : text, List.of(file.serversKey()));
    }
}

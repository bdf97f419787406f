package dev.patchbay.config;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.Findings.Spot;
import dev.patchbay.config.HostFile.Format;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The text of a host's file: the entry for Patchbay in it, and what it becomes with or without. */
final class HostText {
    static final String KEY = "patchbay";

    private final HostFile file;
    private final String text;

    HostText(HostFile file, String text) {
        this.file = file;
        this.text = text;
    }

    private boolean isToml() {
        return file.format() == Format.CODEX;
    }

    /** The file as values; null after adding what keeps it from being read. */
    static Node.@Nullable Table read(HostFile file, String text, List<Finding> faults) {
        if (file.format() == Format.CODEX) {
            return TomlNodes.read(text, faults);
        }
        var findings = new Findings(text);
        Node root = Jsonc.read(text, findings);
        if (root != null && !(root instanceof Node.Table)) {
            var spot = new Spot("", root.from());
            findings.add(Kind.WRONG_TYPE, spot, "The file should be one object", "Write {…}");
        }
        // A key that stands twice is for the host to mind.
        findings.inOrder().stream()
                .filter(finding -> finding.isError() && finding.kind() != Kind.DUPLICATE_KEY)
                .forEach(faults::add);
        return root instanceof Node.Table table && faults.isEmpty() ? table : null;
    }

    /** Why the text cannot be edited; empty if it can. */
    List<Finding> faults() {
        var faults = new ArrayList<Finding>();
        Node.Table root = read(file, text, faults);
        Node servers = root == null ? null : root.value(file.key());
        if (servers != null && !(servers instanceof Node.Table)) {
            var place = new Findings(text).place(servers.from());
            var problem = "It should be an object";
            faults.add(new Finding(Kind.WRONG_TYPE, place, file.key(), problem, "Write {…}"));
        }
        return faults;
    }

    /** The definition of the entry for Patchbay; null if there is none. */
    @Nullable Json own() {
        Node.Table root = read(file, text, new ArrayList<>());
        Node.Table servers = root == null ? null : root.table(file.key());
        Node.Table own = servers == null ? null : servers.table(KEY);
        return own == null ? null : NodeJson.of(own);
    }

    /** The text with the entry, in the place of the one that was there. */
    String with(Json definition) {
        if (isToml()) {
            return TomlTables.with(own() == null ? text : without(), path(), definition);
        }
        var draft = draft();
        Node.Member member = draft.exact(KEY);
        return member == null
                ? draft.with(new Entry(KEY, definition))
                : draft.redefined(member, definition);
    }

    String without() {
        if (isToml()) {
            return TomlTables.without(text, path());
        }
        var draft = draft();
        Node.Member member = draft.exact(KEY);
        return member == null ? text : draft.without(member);
    }

    private List<String> path() {
        return List.of(file.key(), KEY);
    }

    private Draft draft() {
        return new Draft(text.isBlank() ? Draft.NEW_FILE : text, List.of(file.key()));
    }
}

package dev.patchbay.config.edit;

import dev.patchbay.config.ServerKeyMapper;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A valid configuration text, its servers, and the text after a change. */
public final class EditableConfig {
    /** The content of a new file. */
    public static final String EMPTY_FILE = "{\n}\n";

    private static final SyntaxNode.ObjectNode EMPTY_OBJECT =
            new SyntaxNode.ObjectNode(0, 0, List.of());

    private final String text;
    private final SyntaxNode.ObjectNode root;
    private final SyntaxNode.@Nullable ObjectNode servers;
    private final String key;

    /** Uses the first of the keys that is present, or the first one if none is. */
    public EditableConfig(String text, List<String> keys) {
        this.text = text;
        SyntaxNode read = JsoncParser.parse(text, new FindingCollector(text));
        SyntaxNode.ObjectNode table =
                read instanceof SyntaxNode.ObjectNode found ? found : EMPTY_OBJECT;
        root = table;
        key =
                keys.stream()
                        .filter(k -> table.object(k) != null)
                        .findFirst()
                        .orElse(keys.getFirst());
        servers = table.object(key);
    }

    public List<SyntaxNode.Member> members() {
        return servers == null ? List.of() : servers.members();
    }

    /** The server with the given key or id. */
    SyntaxNode.@Nullable Member findMember(String id) {
        var wanted = ServerKeyMapper.toServerId(id);
        for (SyntaxNode.Member member : members()) {
            String name = member.name().value();
            if (name.equals(id)
                    || (wanted != null && wanted.equals(ServerKeyMapper.toServerId(name)))) {
                return member;
            }
        }
        return null;
    }

    /** The server with exactly this key. */
    public SyntaxNode.@Nullable Member findMemberByKey(String name) {
        return servers == null ? null : servers.member(name);
    }

    public String withEntry(ConfigEntry entry) {
        var edits = new JsonTextEditor(text);
        if (servers != null) {
            edits.insert(servers, entry.key(), entry.definition());
        } else {
            var first = new JsonWriter().beginObject();
            first.member(entry.key(), entry.definition()).endObject();
            edits.insert(root, key, first.toJson());
        }
        return edits.editedText();
    }

    public String withDefinition(SyntaxNode.Member member, Json definition) {
        var edits = new JsonTextEditor(text);
        edits.replaceValue(member, definition);
        return edits.editedText();
    }

    public String withoutMember(SyntaxNode.Member member) {
        var edits = new JsonTextEditor(text);
        if (servers != null) {
            edits.remove(servers, member);
        }
        return edits.editedText();
    }

    /** The text without a member of a nested object; the same if it is not there. */
    public static String withoutMember(String text, List<String> path, String name) {
        SyntaxNode node = JsoncParser.parse(text, new FindingCollector(text));
        for (String key : path) {
            node = node instanceof SyntaxNode.ObjectNode table ? table.value(key) : null;
        }
        SyntaxNode.ObjectNode table = node instanceof SyntaxNode.ObjectNode found ? found : null;
        SyntaxNode.Member member = table == null ? null : table.member(name);
        if (table == null || member == null) {
            return text;
        }
        var edits = new JsonTextEditor(text);
        edits.remove(table, member);
        return edits.editedText();
    }

    String withEnabled(SyntaxNode.Member member, boolean on) {
        var edits = new JsonTextEditor(text);
        SyntaxNode.ObjectNode entry =
                member.value() instanceof SyntaxNode.ObjectNode table ? table : EMPTY_OBJECT;
        if (entry.value("disabled") instanceof SyntaxNode.BooleanNode disabled) {
            edits.replace(disabled, String.valueOf(!on));
        } else if (entry.value("enabled") instanceof SyntaxNode.BooleanNode enabled) {
            edits.replace(enabled, String.valueOf(on));
        } else if (!on) {
            edits.insert(entry, "enabled", Json.FALSE);
        }
        return edits.editedText();
    }
}

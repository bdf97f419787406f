package dev.patchbay.config;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A text without faults, the servers in it, and what it becomes when one of them changes. */
final class Draft {
    /** What a file is before anything was written into it. */
    static final String NEW_FILE = "{\n}\n";

    private static final Node.Table NOTHING = new Node.Table(0, 0, List.of());

    private final String text;
    private final Node.Table root;
    private final Node.@Nullable Table servers;
    private final String key;

    /** The servers are under the first of the keys that is there, or will be under the first. */
    Draft(String text, List<String> keys) {
        this.text = text;
        Node read = Jsonc.read(text, new Findings(text));
        Node.Table table = read instanceof Node.Table found ? found : NOTHING;
        root = table;
        key = keys.stream().filter(k -> table.table(k) != null).findFirst().orElse(keys.getFirst());
        servers = table.table(key);
    }

    List<Node.Member> members() {
        return servers == null ? List.of() : servers.members();
    }

    /** The server with that key, or with that id. */
    Node.@Nullable Member member(String id) {
        var wanted = ServerKey.toId(id);
        for (Node.Member member : members()) {
            String name = member.name().value();
            if (name.equals(id) || (wanted != null && wanted.equals(ServerKey.toId(name)))) {
                return member;
            }
        }
        return null;
    }

    /** The server with exactly that key. */
    Node.@Nullable Member exact(String name) {
        return servers == null ? null : servers.member(name);
    }

    String with(Entry entry) {
        var edits = new MemberEdits(text);
        if (servers != null) {
            edits.insert(servers, entry.key(), entry.definition());
        } else {
            var first = new JsonWriter().beginObject();
            first.member(entry.key(), entry.definition()).endObject();
            edits.insert(root, key, first.toJson());
        }
        return edits.result();
    }

    String redefined(Node.Member member, Json definition) {
        var edits = new MemberEdits(text);
        edits.redefine(member, definition);
        return edits.result();
    }

    String without(Node.Member member) {
        var edits = new MemberEdits(text);
        if (servers != null) {
            edits.remove(servers, member);
        }
        return edits.result();
    }

    String switched(Node.Member member, boolean on) {
        var edits = new MemberEdits(text);
        Node.Table entry = member.value() instanceof Node.Table table ? table : NOTHING;
        if (entry.value("disabled") instanceof Node.Flag disabled) {
            edits.replace(disabled, String.valueOf(!on));
        } else if (entry.value("enabled") instanceof Node.Flag enabled) {
            edits.replace(enabled, String.valueOf(on));
        } else if (!on) {
            edits.insert(entry, "enabled", Json.FALSE);
        }
        return edits.result();
    }
}

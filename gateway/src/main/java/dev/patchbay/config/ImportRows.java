package dev.patchbay.config;

import dev.patchbay.config.HostFile.Format;
import dev.patchbay.config.ImportPlan.Outcome;
import dev.patchbay.config.ImportPlan.Row;
import dev.patchbay.config.Importer.Section;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides what becomes of each entry of an import. */
final class ImportRows {
    private static final int ID_CHARS_MAX = 50;

    private final Surroundings surroundings;
    private final ConfigReader reader;
    private final Map<String, Json> taken = new HashMap<>();
    private final Map<String, String> ranked = new HashMap<>();
    private final Set<Json> definitions = new HashSet<>();

    ImportRows(Surroundings surroundings, List<Node.Member> existing) {
        this.surroundings = surroundings;
        reader = new ConfigReader(surroundings.environment());
        taken.put(ServerKey.RESERVED, Json.NULL);
        for (Node.Member member : existing) {
            ServerId id = ServerKey.toId(member.name().value());
            if (id != null && member.value() instanceof Node.Table table) {
                var wording = new Wording(Format.SHELL, surroundings, null);
                taken.put(id.value(), new Translation(table, Format.SHELL, wording).definition());
            }
        }
    }

    List<Row> of(List<Section> sections) {
        var rows = new ArrayList<Row>();
        for (Section section : sections) {
            for (Node.Member member : section.servers().members()) {
                rows.add(row(section, member.name().value(), member.value()));
            }
        }
        return rows;
    }

    private Row row(Section section, String key, Node value) {
        if (!(value instanceof Node.Table table)) {
            return no(section, key, Outcome.SKIP, List.of("It is no object"));
        }
        if (Self.isStartedBy(table)) {
            return no(section, key, Outcome.SELF, List.of("It is Patchbay itself"));
        }
        String hiding = ranked.get(key);
        if (section.ranked()) {
            if (hiding != null) {
                return no(section, key, Outcome.HIDDEN, List.of("By the one in " + hiding));
            }
            ranked.put(key, section.origin());
        }
        var wording = new Wording(section.format(), surroundings, section.folder());
        var translation = new Translation(withFolder(table, section), section.format(), wording);
        Json definition = translation.definition();
        ServerId id = ServerKey.toId(key);
        if (id == null) {
            return no(section, key, Outcome.SKIP, List.of("No id can be made of its name"));
        }
        if (definition.equals(taken.get(id.value())) || definitions.contains(definition)) {
            return no(section, key, Outcome.SAME, List.of());
        }
        return checked(
                section, key, new Entry(freeId(id.value()), definition), translation.notes());
    }

    /** The row of an entry that is new, if the gateway could work with it. */
    private Row checked(Section section, String key, Entry entry, List<String> said) {
        var notes = new ArrayList<>(said);
        ServerId plain = ServerKey.toId(key);
        boolean free = plain != null && plain.value().equals(entry.key());
        if (!free) {
            notes.add(
                    "The name %s is taken; the server is called %s"
                            .formatted(Quoted.plain(key), entry.key()));
        } else if (!key.equals(entry.key())) {
            notes.add(
                    "The name %s is no legal id; the server is called %s"
                            .formatted(Quoted.plain(key), entry.key()));
        }
        var json = new JsonWriter().beginObject().name("mcpServers").beginObject();
        json.member(entry.key(), entry.definition()).endObject().endObject();
        var read = reader.read(json.toJson().toString());
        for (Finding finding : read.findings()) {
            boolean variable = finding.kind() == Finding.Kind.SERVER_VARIABLE;
            String remedy = variable ? ": set it where Patchbay is started" : "";
            notes.add(finding.problem() + remedy);
        }
        if (read instanceof ConfigFile.Faulty) {
            return no(section, key, Outcome.SKIP, notes);
        }
        taken.put(entry.key(), entry.definition());
        definitions.add(entry.definition());
        return new Row(section.origin(), key, Outcome.ADD, entry, notes);
    }

    private String freeId(String wanted) {
        String id = wanted;
        for (int number = 2; taken.containsKey(id); number++) {
            String suffix = "-" + number;
            int room = Math.min(wanted.length(), ID_CHARS_MAX - suffix.length());
            id = wanted.substring(0, room) + suffix;
        }
        return id;
    }

    /** A program of a project that is named relative to it keeps its folder. */
    private static Node.Table withFolder(Node.Table entry, Section section) {
        Path folder = section.folder();
        if (folder == null || entry.value("cwd") != null || !isRelative(entry)) {
            return entry;
        }
        var members = new ArrayList<>(entry.members());
        var cwd = new Node.Text(0, 0, folder.toString());
        members.add(new Node.Member(new Node.Text(0, 0, "cwd"), cwd, -1));
        return new Node.Table(entry.from(), entry.to(), members);
    }

    private static boolean isRelative(Node.Table entry) {
        var texts = new ArrayList<@Nullable Node>();
        texts.add(entry.value("command"));
        if (entry.value("args") instanceof Node.Sequence args) {
            texts.addAll(args.elements());
        }
        return texts.stream()
                .anyMatch(node -> node instanceof Node.Text text && isRelative(text.value()));
    }

    private static boolean isRelative(String text) {
        return text.equals(".") || text.startsWith("./") || text.startsWith("../");
    }

    private static Row no(Section section, String key, Outcome outcome, List<String> notes) {
        return new Row(section.origin(), key, outcome, null, notes);
    }
}

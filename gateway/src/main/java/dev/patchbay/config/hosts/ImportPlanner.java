package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Finding;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.ServerKeyMapper;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.hosts.HostEntryShape.CommonEntry;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.hosts.ImportPlan.Outcome;
import dev.patchbay.config.hosts.ImportPlan.Row;
import dev.patchbay.config.hosts.ServerListReader.ServerList;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.read.SelfReference;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decides what happens to each entry of an import. */
final class ImportPlanner {
    private static final int ID_CHARS_MAX = 50;

    private static final List<String> CONNECTION_KEYS =
            List.of("command", "args", "env", "cwd", "url", "headers");

    private final Environment environment;
    private final ConfigReader reader;
    private final Map<String, Json> definitionsById = new HashMap<>();
    private final Map<String, String> originsByKey = new HashMap<>();
    private final Map<Json, String> idsByConnection = new HashMap<>();

    ImportPlanner(Environment environment, List<SyntaxNode.Member> existing) {
        this.environment = environment;
        reader = new ConfigReader(environment.variables());
        definitionsById.put(ServerKeyMapper.RESERVED_ID, Json.NULL);
        for (SyntaxNode.Member member : existing) {
            ServerId id = ServerKeyMapper.toServerId(member.name().value());
            if (id != null && member.value() instanceof SyntaxNode.ObjectNode table) {
                addExisting(id, table);
            }
        }
    }

    private void addExisting(ServerId id, SyntaxNode.ObjectNode table) {
        var wording = new VariableTranslator(Format.SHELL, environment, null);
        CommonEntry common = HostEntryShape.convert(table, Format.SHELL);
        Json definition = new HostEntryConverter(common, Format.SHELL, wording).definition();
        definitionsById.put(id.value(), definition);
        idsByConnection.putIfAbsent(connection(definition), id.value());
    }

    /** What tells a server from others: how it is started or reached. */
    private static Json connection(Json definition) {
        var json = new JsonWriter().beginObject();
        for (String key : CONNECTION_KEYS) {
            Json value = definition.member(key);
            if (value != null) {
                json.member(key, value);
            }
        }
        return json.endObject().toJson();
    }

    /** Plans the entries of one host. Entries of other hosts never hide them. */
    List<Row> planRows(List<ServerList> sections) {
        originsByKey.clear();
        var rows = new ArrayList<Row>();
        for (ServerList section : sections) {
            for (SyntaxNode.Member member : section.servers().members()) {
                rows.add(planRow(section, member.name().value(), member.value()));
            }
        }
        return rows;
    }

    private Row planRow(ServerList section, String key, SyntaxNode value) {
        if (!(value instanceof SyntaxNode.ObjectNode table)) {
            return notAdded(section, key, Outcome.SKIP, List.of("The entry is not an object"));
        }
        CommonEntry common =
                HostEntryShape.convert(withWorkingDirectory(table, section), section.format());
        if (SelfReference.startsPatchbay(common.entry())) {
            return notAdded(section, key, Outcome.SELF, List.of("The entry is Patchbay itself"));
        }
        if (common.unusable() != null) {
            return notAdded(section, key, Outcome.SKIP, List.of(common.unusable()));
        }
        if (section.takesPrecedence()) {
            String hiding = originsByKey.putIfAbsent(key, section.place(key).origin());
            if (hiding != null) {
                var note = "The entry in " + hiding + " is used instead";
                return notAdded(section, key, Outcome.HIDDEN, List.of(note));
            }
        }
        var wording = new VariableTranslator(section.format(), environment, section.folder());
        var translation = new HostEntryConverter(common, section.format(), wording);
        Json definition = translation.definition();
        ServerId id = ServerKeyMapper.toServerId(key);
        if (id == null) {
            return notAdded(
                    section, key, Outcome.SKIP, List.of("The name contains no letter or digit"));
        }
        String same = idsByConnection.get(connection(definition));
        if (same != null) {
            return notAdded(section, key, Outcome.SAME, differences(id.value(), same, definition));
        }
        return planNewEntry(
                section,
                key,
                new ConfigEntry(unusedId(id.value()), definition),
                translation.notes());
    }

    private List<String> differences(String wanted, String id, Json definition) {
        if (!definition.equals(definitionsById.get(id))) {
            return List.of("It is the server %s, whose other settings are kept".formatted(id));
        }
        return id.equals(wanted) ? List.of() : List.of("It is the server " + id);
    }

    /** The row of a new entry, if the gateway can use it. */
    private Row planNewEntry(ServerList section, String key, ConfigEntry entry, List<String> said) {
        var notes = new ArrayList<>(said);
        ServerId plain = ServerKeyMapper.toServerId(key);
        boolean free = plain != null && plain.value().equals(entry.key());
        if (!free) {
            notes.add(
                    "The name %s is taken; using %s"
                            .formatted(SanitizedText.sanitize(key), entry.key()));
        } else if (!key.equals(entry.key())) {
            notes.add(
                    "The name %s is not valid; using %s"
                            .formatted(SanitizedText.sanitize(key), entry.key()));
        }
        var json = new JsonWriter().beginObject().name("mcpServers").beginObject();
        json.member(entry.key(), entry.definition()).endObject().endObject();
        var read = reader.read(json.toJson().toString());
        for (Finding finding : read.findings()) {
            boolean variable = finding.kind() == Finding.Kind.SERVER_VARIABLE;
            String remedy = variable ? ": set it where Patchbay is started" : "";
            notes.add(finding.problem() + remedy);
        }
        if (read.hasErrors()) {
            return notAdded(section, key, Outcome.SKIP, notes);
        }
        definitionsById.put(entry.key(), entry.definition());
        idsByConnection.put(connection(entry.definition()), entry.key());
        return new Row(section.place(key), Outcome.ADD, entry, notes);
    }

    private String unusedId(String wanted) {
        String id = wanted;
        for (int number = 2; definitionsById.containsKey(id); number++) {
            String suffix = "-" + number;
            int room = Math.min(wanted.length(), ID_CHARS_MAX - suffix.length());
            id = wanted.substring(0, room) + suffix;
        }
        return id;
    }

    /** A command relative to its project keeps the project's folder as working directory. */
    private static SyntaxNode.ObjectNode withWorkingDirectory(
            SyntaxNode.ObjectNode entry, ServerList section) {
        Path folder = section.folder();
        if (folder == null || entry.value("cwd") != null || !isRelative(entry)) {
            return entry;
        }
        var members = new ArrayList<>(entry.members());
        var cwd = new SyntaxNode.StringNode(0, 0, folder.toString());
        members.add(new SyntaxNode.Member(new SyntaxNode.StringNode(0, 0, "cwd"), cwd, -1));
        return new SyntaxNode.ObjectNode(entry.from(), entry.to(), members);
    }

    private static boolean isRelative(SyntaxNode.ObjectNode entry) {
        var texts = new ArrayList<@Nullable SyntaxNode>();
        texts.add(entry.value("command"));
        if (entry.value("args") instanceof SyntaxNode.ArrayNode args) {
            texts.addAll(args.elements());
        }
        return texts.stream()
                .anyMatch(
                        node ->
                                node instanceof SyntaxNode.StringNode text
                                        && isRelative(text.value()));
    }

    private static boolean isRelative(String text) {
        return text.equals(".") || text.startsWith("./") || text.startsWith("../");
    }

    private static Row notAdded(
            ServerList section, String key, Outcome outcome, List<String> notes) {
        return new Row(section.place(key), outcome, null, notes);
    }
}

package dev.patchbay.repl;

import dev.patchbay.json.Json;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a session has defined so far, kept outside its JVM so that it outlives it. Owned by the
 * session, under its lock.
 */
final class DefinitionRegistry {
    private static final int DEFINITIONS_MAX = 5_000;
    private static final int SOURCE_CHARS_MAX = 200_000;
    private static final List<String> RESTORE_ORDER =
            List.of("import", "type", "method", "variable");

    private final Map<String, Definition> definitions = new LinkedHashMap<>();
    private int lastId;

    /** Takes in what one snippet changed. */
    void apply(List<Json> changes) {
        for (Json change : changes) {
            var definition = Definition.from(change);
            recordId(definition.id());
            if (JsonFields.isTrue(change, "active")) {
                add(definition);
            } else {
                Definition known = definitions.get(definition.key());
                if (known != null && known.id().equals(definition.id())) {
                    definitions.remove(definition.key());
                }
            }
        }
    }

    private void add(Definition definition) {
        boolean fits = definition.source().length() <= SOURCE_CHARS_MAX;
        if (fits && (definitions.size() < DEFINITIONS_MAX || contains(definition))) {
            definitions.put(definition.key(), definition);
        }
    }

    private boolean contains(Definition definition) {
        return definitions.containsKey(definition.key());
    }

    /** Notes the number of a snippet, so that a new session goes on behind it. */
    void recordId(String id) {
        if (!id.isEmpty() && id.chars().allMatch(Character::isDigit)) {
            lastId = Math.max(lastId, Integer.parseInt(id));
        }
    }

    int lastId() {
        return lastId;
    }

    /** What a new session can define again, in an order in which it can. */
    List<Definition> restorable() {
        var found = new ArrayList<Definition>();
        definitions.values().stream()
                .filter(definition -> !definition.isTemporary())
                .sorted(
                        Comparator.comparingInt(
                                definition -> RESTORE_ORDER.indexOf(definition.kind())))
                .forEach(found::add);
        return found;
    }

    /** How many values of expressions had a name but cannot be defined again. */
    long temporaryCount() {
        return definitions.values().stream().filter(Definition::isTemporary).count();
    }

    /** Begins anew, with what a new session says that it has. */
    void replaceWith(List<Json> changes) {
        definitions.clear();
        apply(changes);
    }

    /** Begins anew, with what was saved. */
    void restoreFrom(SessionSnapshot snapshot) {
        definitions.clear();
        for (Definition definition : snapshot.definitions()) {
            recordId(definition.id());
            add(definition);
        }
    }

    void clear() {
        definitions.clear();
    }
}

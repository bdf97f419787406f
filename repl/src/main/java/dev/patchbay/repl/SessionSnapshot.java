package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.List;

/**
 * What can be kept of a session: its class path, and its definitions in an order in which they can
 * be made again. Values are not part of it, only the source that made them.
 */
record SessionSnapshot(List<String> classpath, List<Definition> definitions) {
    SessionSnapshot {
        classpath = List.copyOf(classpath);
        definitions = List.copyOf(definitions);
    }

    static SessionSnapshot from(Json json) {
        return new SessionSnapshot(
                JsonFields.texts(json, "classpath"),
                JsonFields.elements(json, "definitions").stream().map(Definition::from).toList());
    }

    Json toJson() {
        JsonWriter target = new JsonWriter().beginObject().member("version", 1);
        InspectTools.writeStrings("classpath", classpath, target);
        target.name("definitions").beginArray();
        for (Definition one : definitions) {
            target.beginObject().member("id", one.id()).member("kind", one.kind());
            target.member("name", one.name()).member("key", one.key());
            target.member("type", one.type()).member("source", one.source());
            target.member("active", true).endObject();
        }
        return target.endArray().endObject().toJson();
    }

    /** The code that gives the variables the values they were declared with. */
    String initializers() {
        var code = new StringBuilder();
        for (Definition one : ofKind("variable")) {
            if (one.source().contains("=")) {
                code.append(one.source().strip());
                code.append(one.source().strip().endsWith(";") ? "\n" : ";\n");
            }
        }
        return code.toString();
    }

    List<Definition> ofKind(String kind) {
        return definitions.stream().filter(it -> it.kind().equals(kind)).toList();
    }
}

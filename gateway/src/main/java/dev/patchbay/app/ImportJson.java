package dev.patchbay.app;

import dev.patchbay.config.EditResult;
import dev.patchbay.config.Entry;
import dev.patchbay.config.Finding;
import dev.patchbay.config.ImportPlan;
import dev.patchbay.config.Masked;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.List;
import java.util.Locale;

/** What {@code patchbay import --json} prints: no value that could be a secret. */
final class ImportJson {
    private ImportJson() {}

    static Json of(ImportPlan plan, EditResult result) {
        var json = new JsonWriter().beginObject().member("file", plan.target().toString());
        json.member("changed", result instanceof EditResult.Changed);
        json.name("sources").beginArray();
        for (ImportPlan.Source source : plan.sources()) {
            json.beginObject().member("file", source.file().toString());
            json.member("found", source.exists());
            findings(json, source.faults());
            json.endObject();
        }
        json.endArray().name("servers").beginArray();
        plan.rows().forEach(row -> row(json, row));
        json.endArray();
        if (result instanceof EditResult.Refused(_, _, List<Finding> faults)) {
            findings(json, faults);
        }
        return json.endObject().toJson();
    }

    private static void row(JsonWriter json, ImportPlan.Row row) {
        json.beginObject().member("name", row.key());
        json.member("outcome", row.outcome().name().toLowerCase(Locale.ROOT));
        Entry entry = row.entry();
        if (entry != null) {
            json.member("serverId", entry.key()).member("summary", Masked.of(entry));
        }
        json.member("origin", row.origin()).name("notes").beginArray();
        row.notes().forEach(json::string);
        json.endArray().endObject();
    }

    /** The form of findings that {@code check --json} prints too. */
    static void findings(JsonWriter json, List<Finding> findings) {
        json.name("findings").beginArray();
        for (Finding finding : findings) {
            json.beginObject()
                    .member("severity", finding.severity().word())
                    .member("kind", finding.kind().name())
                    .member("line", finding.place().line())
                    .member("column", finding.place().column())
                    .member("path", finding.path())
                    .member("problem", finding.problem())
                    .member("remedy", finding.remedy())
                    .endObject();
        }
        json.endArray();
    }
}

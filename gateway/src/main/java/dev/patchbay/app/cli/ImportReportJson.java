package dev.patchbay.app.cli;

import dev.patchbay.config.Finding;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.edit.ConfigEntrySummary;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.config.hosts.ImportPlan;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.List;
import java.util.Locale;

/** The output of {@code patchbay import --json}, without values that could be secrets. */
final class ImportReportJson {
    private ImportReportJson() {}

    static Json toJson(ImportPlan plan, EditResult result) {
        var json = new JsonWriter().beginObject().member("file", plan.target().toString());
        json.member("changed", result instanceof EditResult.Changed);
        json.name("sources").beginArray();
        for (ImportPlan.Source source : plan.sources()) {
            json.beginObject().member("file", source.file().toString());
            json.member("found", source.exists());
            writeFindings(json, source.errors());
            json.endObject();
        }
        json.endArray().name("servers").beginArray();
        plan.rows().forEach(row -> writeRow(json, row));
        json.endArray();
        if (result instanceof EditResult.Refused(_, _, List<Finding> faults)) {
            writeFindings(json, faults);
        }
        return json.endObject().toJson();
    }

    static void writeRow(JsonWriter json, ImportPlan.Row row) {
        json.beginObject().member("name", row.key());
        json.member("outcome", row.outcome().name().toLowerCase(Locale.ROOT));
        ConfigEntry entry = row.entry();
        if (entry != null) {
            json.member("serverId", entry.key())
                    .member("summary", ConfigEntrySummary.summarize(entry));
        }
        json.member("origin", row.place().origin()).name("notes").beginArray();
        row.notes().forEach(json::string);
        json.endArray().endObject();
    }

    /** Writes findings in the form that {@code check --json} uses too. */
    static void writeFindings(JsonWriter json, List<Finding> findings) {
        json.name("findings").beginArray();
        for (Finding finding : findings) {
            json.beginObject()
                    .member("severity", finding.severity().label())
                    .member("kind", finding.kind().name())
                    .member("line", finding.position().line())
                    .member("column", finding.position().column())
                    .member("path", finding.path())
                    .member("problem", finding.problem())
                    .member("remedy", finding.remedy())
                    .endObject();
        }
        json.endArray();
    }
}

package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.List;

/**
 * A message of the compiler about a place in the code, lines and columns counted from one.
 *
 * @param isError whether it keeps the code from running; else it is a warning
 */
public record Diagnostic(boolean isError, String message, int line, int column, Position end) {
    /** Where the place ends. */
    public record Position(int line, int column) {}

    static List<Diagnostic> listFrom(Json json) {
        return JsonFields.elements(json, "diagnostics").stream().map(Diagnostic::from).toList();
    }

    private static Diagnostic from(Json json) {
        return new Diagnostic(
                JsonFields.isTrue(json, "error"),
                JsonFields.text(json, "message"),
                (int) JsonFields.number(json, "line"),
                (int) JsonFields.number(json, "column"),
                new Position(
                        (int) JsonFields.number(json, "endLine"),
                        (int) JsonFields.number(json, "endColumn")));
    }

    static void writeAll(List<Diagnostic> diagnostics, JsonWriter target) {
        target.name("diagnostics").beginArray();
        for (Diagnostic one : diagnostics) {
            target.beginObject();
            target.member("severity", one.isError() ? "error" : "warning");
            target.member("message", one.message());
            target.member("line", one.line()).member("column", one.column());
            target.member("endLine", one.end().line()).member("endColumn", one.end().column());
            target.endObject();
        }
        target.endArray();
    }

    @Override
    public String toString() {
        return "%s at line %d, column %d: %s"
                .formatted(isError ? "error" : "warning", line, column, message);
    }
}

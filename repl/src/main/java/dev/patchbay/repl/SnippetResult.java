package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What became of one snippet.
 *
 * @param id its number, by which traces name it
 * @param kind expression, statement, variable, method, type, import, erroneous
 * @param status VALID, or why it is not: REJECTED, RECOVERABLE_DEFINED, RECOVERABLE_NOT_DEFINED
 * @param line the line of the evaluated code on which it starts
 * @param name what it defines, or the variable that holds its value; empty if neither
 * @param value its value as text; null if it has none
 * @param missing what must be declared before it can be used
 * @param error what it threw; null if it did not
 * @param measurement what running it took; null if nothing ran
 */
public record SnippetResult(
        String id,
        String kind,
        String status,
        String source,
        int line,
        String name,
        String type,
        @Nullable String value,
        List<String> missing,
        List<Diagnostic> diagnostics,
        @Nullable ErrorReport error,
        @Nullable Measurement measurement) {
    private static final int DECLARED_VALUE_CHARS_MAX = 1_000;

    static SnippetResult from(Json json) {
        Json error = json.member("error");
        Json figures = json.member("figures");
        List<Json> changes = JsonFields.elements(json, "changes");
        return new SnippetResult(
                JsonFields.text(json, "id"),
                JsonFields.text(json, "kind"),
                JsonFields.text(json, "status"),
                JsonFields.text(json, "source"),
                (int) JsonFields.number(json, "line"),
                JsonFields.text(json, "name"),
                JsonFields.text(json, "type"),
                json.memberText("value"),
                changes.isEmpty() ? List.of() : JsonFields.texts(changes.getFirst(), "missing"),
                Diagnostic.listFrom(json),
                error == null ? null : ErrorReport.from(error),
                figures == null ? null : Measurement.from(figures));
    }

    SnippetResult withValue(String other) {
        return new SnippetResult(
                id,
                kind,
                status,
                source,
                line,
                name,
                type,
                other,
                missing,
                diagnostics,
                error,
                measurement);
    }

    /** The same, of which this is still to be declared. */
    SnippetResult withMissing(List<String> other) {
        return new SnippetResult(
                id,
                kind,
                other.isEmpty() && status.startsWith("RECOVERABLE") ? "VALID" : status,
                source,
                line,
                name,
                type,
                value,
                other,
                diagnostics,
                error,
                measurement);
    }

    boolean isRejected() {
        return status.equals("REJECTED");
    }

    /** The line that a reader looks for: the value, or what is defined now; else empty. */
    String summaryLine() {
        if (isRejected()) {
            return "";
        }
        if (value != null && error == null) {
            boolean named = kind.equals("variable") && !name.startsWith("$");
            return "=> " + (named ? name + " = " + truncated(value) : value) + " : " + type;
        }
        String needs =
                missing.isEmpty()
                        ? ""
                        : "; usable once these are declared: " + String.join(", ", missing);
        return switch (kind) {
            case "method" -> "defined method " + name + type + needs;
            case "type" -> "defined type " + name + needs;
            case "variable" -> error == null ? "declared " + type + " " + name + needs : "";
            default -> "";
        };
    }

    /** Who declares something wants to know that it went well, and can ask for the whole of it. */
    private static String truncated(String value) {
        return value.length() <= DECLARED_VALUE_CHARS_MAX
                ? value
                : value.substring(0, DECLARED_VALUE_CHARS_MAX) + "…";
    }

    void write(JsonWriter target) {
        target.beginObject();
        target.member("id", id).member("kind", kind).member("status", status);
        target.member("source", source).member("line", line);
        if (!name.isEmpty()) {
            target.member("name", name);
        }
        if (!type.isEmpty()) {
            target.member("type", type);
        }
        if (value != null) {
            target.member("value", value);
        }
        if (!missing.isEmpty()) {
            target.name("missing").beginArray();
            missing.forEach(target::string);
            target.endArray();
        }
        if (!diagnostics.isEmpty()) {
            Diagnostic.writeAll(diagnostics, target);
        }
        if (error != null) {
            target.name("error");
            error.write(target);
        }
        target.endObject();
    }
}

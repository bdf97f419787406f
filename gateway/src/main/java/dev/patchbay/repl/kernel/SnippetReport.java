package dev.patchbay.repl.kernel;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.SourceWalk.Part;

import jdk.jshell.Diag;
import jdk.jshell.ExpressionSnippet;
import jdk.jshell.JShell;
import jdk.jshell.JShellException;
import jdk.jshell.MethodSnippet;
import jdk.jshell.PersistentSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.VarSnippet;

import java.util.List;
import java.util.Locale;

/** What became of one snippet, as JSON. */
final class SnippetReport {
    private static final int SOURCE_CHARS_MAX = 300;
    private static final int MESSAGE_CHARS_MAX = 2_000;
    private static final int DIAGNOSTICS_MAX = 20;

    private final JShell shell;
    private final Places places;

    SnippetReport(JShell shell, String code) {
        this.shell = shell;
        this.places = new Places(code);
    }

    Json write(Part part, List<SnippetEvent> events, Figures figures) {
        SnippetEvent event = events.getFirst();
        Snippet snippet = event.snippet();
        JsonWriter target = Wire.said("snippet");
        target.member("id", snippet.id());
        target.member("kind", Definitions.kind(snippet));
        target.member("status", event.status().name());
        target.member("source", Values.bounded(part.source().strip(), SOURCE_CHARS_MAX));
        target.member("line", places.line(part.offset()));
        target.member("incomplete", part.incomplete());
        nameAndType(snippet, target);
        String value = event.value();
        if (value != null && hasValue(snippet)) {
            target.member("value", value);
        }
        target.name("diagnostics");
        diagnostics(shell.diagnostics(snippet).toList(), part.offset(), target);
        JShellException exception = event.exception();
        if (exception != null) {
            target.name("error");
            Thrown.write(shell, exception, target);
        }
        figures(figures, target);
        changes(events, target);
        return target.endObject().toJson();
    }

    /** The messages of the compiler, with their places in the whole code. */
    void diagnostics(List<Diag> diagnostics, int offset, JsonWriter target) {
        target.beginArray();
        for (Diag diagnostic : diagnostics.stream().limit(DIAGNOSTICS_MAX).toList()) {
            int start = offset + (int) diagnostic.getStartPosition();
            int end = offset + (int) diagnostic.getEndPosition();
            String message = diagnostic.getMessage(Locale.ENGLISH);
            target.beginObject();
            target.member("error", diagnostic.isError());
            target.member("message", Values.bounded(clean(message), MESSAGE_CHARS_MAX));
            target.member("code", String.valueOf(diagnostic.getCode()));
            target.member("line", places.line(start));
            target.member("column", places.column(start));
            target.member("endLine", places.line(end));
            target.member("endColumn", places.column(end));
            target.endObject();
        }
        target.endArray();
    }

    /** Without the class that JShell puts around a snippet, which the user knows nothing of. */
    private static String clean(String message) {
        return message.replaceAll("(?m)^\\s*location: +class *$", "").stripTrailing();
    }

    private static void nameAndType(Snippet snippet, JsonWriter target) {
        switch (snippet) {
            case VarSnippet variable -> {
                target.member("name", variable.name());
                type(variable.typeName(), target);
            }
            case ExpressionSnippet expression -> {
                target.member("name", expression.name());
                type(expression.typeName(), target);
            }
            case MethodSnippet method -> {
                target.member("name", method.name());
                type(method.signature(), target);
            }
            case PersistentSnippet other -> target.member("name", other.name());
            default -> {}
        }
    }

    private static void type(String type, JsonWriter target) {
        if (type != null) {
            target.member("type", type);
        }
    }

    /** JShell has an empty value for a statement, and for a definition. */
    private static boolean hasValue(Snippet snippet) {
        return snippet instanceof VarSnippet || snippet instanceof ExpressionSnippet;
    }

    private static void figures(Figures figures, JsonWriter target) {
        if (figures.runs() > 0) {
            target.name("figures").beginObject();
            target.member("runs", figures.runs());
            target.member("totalNanos", figures.totalNanos());
            target.member("minNanos", figures.minNanos());
            target.member("medianNanos", figures.medianNanos());
            target.member("maxNanos", figures.maxNanos());
            target.member("bytes", figures.bytes());
            target.endObject();
        }
    }

    /** The definitions that came, changed or went, of which the server keeps a record. */
    private void changes(List<SnippetEvent> events, JsonWriter target) {
        target.name("changes").beginArray();
        for (SnippetEvent event : events) {
            if (event.snippet() instanceof PersistentSnippet definition) {
                Definitions.write(shell, definition, target);
            }
        }
        target.endArray();
    }
}

package dev.patchbay.repl.kernel;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.SnippetSplitter.SnippetSource;

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
final class SnippetReportWriter {
    private static final int SOURCE_CHARS_MAX = 300;
    private static final int MESSAGE_CHARS_MAX = 2_000;
    private static final int DIAGNOSTICS_MAX = 20;

    private final JShell shell;
    private final SourcePositions positions;

    SnippetReportWriter(JShell shell, String code) {
        this.shell = shell;
        this.positions = new SourcePositions(code);
    }

    Json write(SnippetSource part, List<SnippetEvent> events, RunStatistics figures) {
        SnippetEvent event = events.getFirst();
        Snippet snippet = event.snippet();
        JsonWriter target = KernelChannel.beginMessage("snippet");
        target.member("id", snippet.id());
        target.member("kind", DefinitionWriter.kind(snippet));
        target.member("status", event.status().name());
        target.member("source", ValueFormatter.truncate(part.source().strip(), SOURCE_CHARS_MAX));
        target.member("line", positions.line(part.offset()));
        target.member("incomplete", part.isIncomplete());
        writeNameAndType(snippet, target);
        String value = event.value();
        if (value != null && hasValue(snippet)) {
            target.member("value", value);
        }
        target.name("diagnostics");
        writeDiagnostics(shell.diagnostics(snippet).toList(), part.offset(), target);
        JShellException exception = event.exception();
        if (exception != null) {
            target.name("error");
            ExceptionWriter.write(shell, exception, target);
        }
        writeStatistics(figures, target);
        writeChanges(events, target);
        return target.endObject().toJson();
    }

    /** The messages of the compiler, with their places in the whole code. */
    void writeDiagnostics(List<Diag> diagnostics, int offset, JsonWriter target) {
        target.beginArray();
        for (Diag diagnostic : diagnostics.stream().limit(DIAGNOSTICS_MAX).toList()) {
            int start = offset + (int) diagnostic.getStartPosition();
            int end = offset + (int) diagnostic.getEndPosition();
            String message = diagnostic.getMessage(Locale.ENGLISH);
            target.beginObject();
            target.member("error", diagnostic.isError());
            target.member(
                    "message",
                    ValueFormatter.truncate(withoutWrapperLocation(message), MESSAGE_CHARS_MAX));
            target.member("code", String.valueOf(diagnostic.getCode()));
            target.member("line", positions.line(start));
            target.member("column", positions.column(start));
            target.member("endLine", positions.line(end));
            target.member("endColumn", positions.column(end));
            target.endObject();
        }
        target.endArray();
    }

    /** Without the class that JShell puts around a snippet, which the user knows nothing of. */
    private static String withoutWrapperLocation(String message) {
        return message.replaceAll("(?m)^\\s*location: +class *$", "").stripTrailing();
    }

    private static void writeNameAndType(Snippet snippet, JsonWriter target) {
        switch (snippet) {
            case VarSnippet variable -> {
                target.member("name", variable.name());
                writeType(variable.typeName(), target);
            }
            case ExpressionSnippet expression -> {
                target.member("name", expression.name());
                writeType(expression.typeName(), target);
            }
            case MethodSnippet method -> {
                target.member("name", method.name());
                writeType(method.signature(), target);
            }
            case PersistentSnippet other -> target.member("name", other.name());
            default -> {}
        }
    }

    private static void writeType(String type, JsonWriter target) {
        if (type != null) {
            target.member("type", type);
        }
    }

    /** JShell has an empty value for a statement, and for a definition. */
    private static boolean hasValue(Snippet snippet) {
        return snippet instanceof VarSnippet || snippet instanceof ExpressionSnippet;
    }

    private static void writeStatistics(RunStatistics figures, JsonWriter target) {
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
    private void writeChanges(List<SnippetEvent> events, JsonWriter target) {
        target.name("changes").beginArray();
        for (SnippetEvent event : events) {
            if (event.snippet() instanceof PersistentSnippet definition) {
                DefinitionWriter.write(shell, definition, target);
            }
        }
        target.endArray();
    }
}

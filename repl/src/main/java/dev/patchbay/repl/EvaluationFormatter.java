package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.EvaluationResult.Status;
import dev.patchbay.repl.OutputListener.StandardStream;
import dev.patchbay.repl.ResourceStore.StoredResource;

import java.util.List;

/**
 * An evaluation as a tool answers it: what was printed first, then values, then what went wrong.
 */
final class EvaluationFormatter {
    private static final int NOT_RUN_CHARS_MAX = 500;

    private static final Json SCHEMA =
            Json.of(
                    """
                    {"type":"object","properties":{
                    "status":{"type":"string","enum":["done","failed","timedOut","died"],
                     "description":"done: every snippet ran; failed: one was rejected or threw;\
                     timedOut: stopped at the limit; died: the JVM of the session ended"},
                    "value":{"type":"string","description":"the value of the last snippet as text"},
                    "type":{"type":"string","description":"the type of that value"},
                    "stdout":{"type":"string"},
                    "stderr":{"type":"string"},
                    "background":{"type":"string",
                     "description":"what threads left running printed before this evaluation"},
                    "droppedChars":{"type":"integer",
                     "description":"how much was printed beyond the limit"},
                    "error":{"type":"object","properties":{
                     "class":{"type":"string"},"message":{"type":"string"},
                     "trace":{"type":"array","items":{"type":"string"}},
                     "cause":{"type":"object"}},"required":["class","message"]},
                    "detail":{"type":"string",
                     "description":"what the status means for the session"},
                    "notRun":{"type":"string",
                     "description":"the code behind the snippet that failed"},
                    "durationMs":{"type":"integer"},
                    "resources":{"type":"array","items":{"type":"string"},
                     "description":"URIs of the whole texts of values that are shown in part"},
                    "cost":{"type":"object","description":"what running the last snippet took",
                     "properties":{"runs":{"type":"integer"},"totalNanos":{"type":"integer"},
                     "minNanos":{"type":"integer"},"medianNanos":{"type":"integer"},
                     "maxNanos":{"type":"integer"},"allocatedBytes":{"type":"integer"},
                     "allocatedBytesPerRun":{"type":"integer"}}},
                    "snippets":{"type":"array","items":{"type":"object","properties":{
                     "id":{"type":"string"},"kind":{"type":"string"},"status":{"type":"string"},
                     "source":{"type":"string"},"line":{"type":"integer"},
                     "name":{"type":"string"},"type":{"type":"string"},"value":{"type":"string"},
                     "missing":{"type":"array","items":{"type":"string"}},
                     "diagnostics":{"type":"array","items":{"type":"object"}},
                     "error":{"type":"object"}},
                     "required":["id","kind","status","source","line"]}}
                    },"required":["status","stdout","stderr","durationMs","snippets"]}
                    """);

    private final EvaluationResult evaluation;
    private final CapturedOutput background;
    private final List<StoredResource> resources;

    /** Keeps the values that are too large for the answer as resources. */
    EvaluationFormatter(
            EvaluationResult evaluation, CapturedOutput background, ResourceStore store) {
        this.evaluation = evaluation;
        this.background = background;
        this.resources =
                evaluation.largeValues().stream()
                        .map(it -> store.add(it.name(), "text/plain", it.text()))
                        .toList();
    }

    /** The schema of the structured part. */
    static Json schema() {
        return SCHEMA;
    }

    ReplToolResult answer(boolean measured) {
        boolean failed = evaluation.status() != Status.DONE;
        return new ReplToolResult(text(measured), structured(measured), failed, resources);
    }

    private String text(boolean measured) {
        var text = new StringBuilder();
        appendOutput(background, "[background] ", "[background stderr] ", text);
        appendOutput(evaluation.output(), "", "[stderr] ", text);
        for (SnippetResult snippet : evaluation.snippets()) {
            appendLine(snippet.summaryLine(), text);
            for (Diagnostic diagnostic : snippet.diagnostics()) {
                appendLine((diagnostic.isError() ? "[ERROR] " : "[warning] ") + diagnostic, text);
            }
            ErrorReport error = snippet.error();
            if (error != null) {
                appendLine("[ERROR] " + error.shortText(), text);
            }
        }
        resources.forEach(it -> appendLine(describe(it), text));
        appendLine(statusLine(), text);
        if (!evaluation.notRun().isEmpty()) {
            appendLine("[not run] " + truncated(evaluation.notRun()), text);
        }
        Measurement cost = measured ? measurement() : null;
        if (cost != null) {
            appendLine(describe(cost), text);
        }
        return text.isEmpty() ? "(no value, no output)" : text.toString().stripTrailing();
    }

    private static String describe(StoredResource resource) {
        return "[resource] the whole value, %,d characters: %s"
                .formatted(resource.text().length(), resource.uri());
    }

    private String statusLine() {
        return switch (evaluation.status()) {
            case DONE -> "";
            case FAILED -> evaluation.detail().isEmpty() ? "" : "[ERROR] " + evaluation.detail();
            case TIMED_OUT -> "[TIMEOUT] " + evaluation.detail();
            case DIED -> "[SESSION ENDED] " + evaluation.detail();
        };
    }

    private static void appendOutput(
            CapturedOutput printed, String out, String err, StringBuilder target) {
        for (CapturedOutput.Chunk piece : printed.chunks()) {
            String prefix = piece.stream() == StandardStream.OUT ? out : err;
            if (prefix.isEmpty()) {
                target.append(piece.text());
            } else {
                piece.text().lines().forEach(line -> appendLine(prefix + line, target));
            }
        }
        if (printed.droppedChars() > 0) {
            appendLine(
                    "[truncated] " + printed.droppedChars() + " more characters printed", target);
        }
    }

    /** Adds a line of its own. */
    private static void appendLine(String line, StringBuilder target) {
        if (line.isEmpty()) {
            return;
        }
        if (!target.isEmpty() && target.charAt(target.length() - 1) != '\n') {
            target.append('\n');
        }
        target.append(line).append('\n');
    }

    private static String truncated(String code) {
        return code.length() <= NOT_RUN_CHARS_MAX
                ? code
                : code.substring(0, NOT_RUN_CHARS_MAX) + "…";
    }

    private @org.jspecify.annotations.Nullable Measurement measurement() {
        return evaluation.snippets().isEmpty()
                ? null
                : evaluation.snippets().getLast().measurement();
    }

    private static String describe(Measurement cost) {
        String time =
                cost.runs() == 1
                        ? micros(cost.totalNanos())
                        : "%s a run (median; least %s, most %s; %d runs, %s in all)"
                                .formatted(
                                        micros(cost.medianNanos()),
                                        micros(cost.minNanos()),
                                        micros(cost.maxNanos()),
                                        cost.runs(),
                                        micros(cost.totalNanos()));
        return "[measured] %s; %,d bytes allocated%s"
                .formatted(time, cost.bytesPerRun(), cost.runs() == 1 ? "" : " a run");
    }

    private static String micros(long nanos) {
        return "%,.1f µs".formatted(nanos / 1_000.0);
    }

    private Json structured(boolean measured) {
        JsonWriter target = new JsonWriter().beginObject();
        target.member("status", status(evaluation.status()));
        if (!evaluation.snippets().isEmpty()) {
            SnippetResult last = evaluation.snippets().getLast();
            String value = last.value();
            if (value != null) {
                target.member("value", value).member("type", last.type());
            }
        }
        target.member("stdout", evaluation.out()).member("stderr", evaluation.err());
        if (background.length() > 0) {
            String all = background.text(StandardStream.OUT) + background.text(StandardStream.ERR);
            target.member("background", all);
        }
        target.member("droppedChars", evaluation.output().droppedChars());
        evaluation.error().ifPresent(error -> error.write(target.name("error")));
        if (!evaluation.detail().isEmpty()) {
            target.member("detail", evaluation.detail());
        }
        target.member("notRun", evaluation.notRun());
        target.member("durationMs", evaluation.elapsed().toMillis());
        Measurement cost = measured ? measurement() : null;
        if (cost != null) {
            cost.write(target.name("cost"));
        }
        target.name("resources").beginArray();
        resources.forEach(it -> target.string(it.uri()));
        target.endArray();
        target.name("snippets").beginArray();
        evaluation.snippets().forEach(snippet -> snippet.write(target));
        return target.endArray().endObject().toJson();
    }

    private static String status(Status ending) {
        return switch (ending) {
            case DONE -> "done";
            case FAILED -> "failed";
            case TIMED_OUT -> "timedOut";
            case DIED -> "died";
        };
    }
}

package dev.patchbay.repl;

import dev.patchbay.repl.Tool.Effect;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The tools that run code. */
final class RunTools {
    private static final Parameter CODE =
            Parameter.text(
                    "code",
                    Session.CODE_CHARS_MAX,
                    "Java code: one or more expressions, statements, declarations or imports. A"
                            + " semicolon at the end of a line may be left out.");

    private static final Parameter TIMEOUT =
            Parameter.integer(
                    "timeoutMs",
                    Limits.TIMEOUT_LEAST.toMillis(),
                    Limits.TIMEOUT_GREATEST.toMillis(),
                    "Stop after so many milliseconds. Without it the limit of the session holds.");

    private final Session session;

    RunTools(Session session) {
        this.session = session;
    }

    List<Tool> all() {
        return List.of(evaluate(), measure(), runFile());
    }

    private Tool evaluate() {
        return new Tool(
                "evaluate",
                "Evaluate Java",
                """
                Evaluates Java code in a live session (JDK %s, JShell). What the code defines \
                (variables, methods, classes, records, imports) stays for later calls. The answer \
                has what was printed, standard error as [stderr] lines, and for each value a line \
                "=> value : type". Exceptions come as "[ERROR] class: message" with the line in \
                the snippet. java.util, java.util.stream, java.io, java.nio.file, java.time and \
                some more packages are imported. Code runs in a JVM of its own with a time limit; \
                standard input is empty.\
                """
                        .formatted(Runtime.version().feature()),
                Effect.RUNS,
                List.of(CODE, TIMEOUT),
                EvaluationText.schema(),
                (arguments, progress) ->
                        answer(arguments.text("code"), 1, arguments, progress, false));
    }

    private Tool measure() {
        return new Tool(
                "measure",
                "Time and measure Java",
                """
                Evaluates Java code and tells how long its last snippet ran and how many bytes its \
                thread allocated. With runs above 1 that snippet runs so many times in a row, and \
                the median, least and greatest time are told: the first runs are slow until the \
                JVM has compiled the code.\
                """,
                Effect.RUNS,
                List.of(
                        CODE,
                        Parameter.integer(
                                "runs", 1, Session.RUNS_MAX, "How often to run it. Default 1."),
                        TIMEOUT),
                EvaluationText.schema(),
                (arguments, progress) -> {
                    int runs = (int) arguments.number("runs", 1);
                    return answer(arguments.text("code"), runs, arguments, progress, true);
                });
    }

    private Tool runFile() {
        return new Tool(
                "run_file",
                "Run a file",
                """
                Evaluates a .java or .jsh file in the session, so that what it defines can be used \
                afterwards. A main method in a .java file is called, unless main is false. Its \
                package declaration is left out: a session has no packages.\
                """,
                Effect.RUNS,
                List.of(
                        Parameter.text(
                                "path",
                                4_096,
                                "The file; if relative, to the folder in which the server runs."),
                        Parameter.texts("args", 100_000, "Arguments for the main method."),
                        Parameter.flag("main", "Whether to call the main method. Default true."),
                        TIMEOUT),
                EvaluationText.schema(),
                this::runFile);
    }

    private ToolAnswer runFile(Arguments arguments, Progress progress)
            throws SessionException, InterruptedException {
        FileSource file;
        try {
            file = SourceFile.read(Path.of(arguments.text("path")), session);
        } catch (InvalidPathException e) {
            throw new SessionException("That is no path: " + e.getMessage(), e);
        }
        boolean calls = arguments.flag("main", true) && !file.main().isEmpty();
        String array =
                arguments.texts("args").stream()
                        .map(RunTools::literal)
                        .collect(Collectors.joining(", ", "(new String[] {", "})"));
        String call = calls ? "\n" + file.main().replace("(args)", array) + ";" : "";
        ToolAnswer answer = answer(file.code() + call, 1, arguments, progress, false);
        if (file.ignored().isEmpty()) {
            return answer;
        }
        return answer.after("Not Java, so left out: " + String.join(", ", file.ignored()));
    }

    /** A string as it is written in Java. */
    private static String literal(String text) {
        var literal = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                literal.append('\\').append(c);
            } else if (c < ' ') {
                literal.append("\\%03o".formatted((int) c));
            } else {
                literal.append(c);
            }
        }
        return literal.append('"').toString();
    }

    private ToolAnswer answer(
            String code, int runs, Arguments arguments, Progress progress, boolean measured)
            throws SessionException, InterruptedException {
        Limits limits = session.limits();
        Duration timeout =
                Duration.ofMillis(arguments.number("timeoutMs", limits.timeout().toMillis()));
        Transcript background = session.takeBackground();
        Evaluation evaluation = session.evaluate(code, runs, limits.within(timeout), progress);
        return new EvaluationText(evaluation, background)
                .answer(measured)
                .after(evaluation.notice());
    }
}

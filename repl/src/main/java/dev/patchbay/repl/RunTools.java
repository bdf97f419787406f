package dev.patchbay.repl;

import dev.patchbay.repl.ReplTool.Effect;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The tools that run code. */
final class RunTools {
    static final ToolParameter CODE =
            ToolParameter.text(
                    "code",
                    ReplSession.CODE_CHARS_MAX,
                    "Java code: one or more expressions, statements, declarations or imports. A"
                            + " semicolon at the end of a line may be left out.");

    static final ToolParameter TIMEOUT =
            ToolParameter.integer(
                    "timeoutMs",
                    EvaluationLimits.TIMEOUT_MIN.toMillis(),
                    EvaluationLimits.TIMEOUT_MAX.toMillis(),
                    "Stop after so many milliseconds. Without it the limit of the session holds.");

    private final ReplSession session;
    private final ResourceStore resources;

    RunTools(ReplSession session, ResourceStore resources) {
        this.session = session;
        this.resources = resources;
    }

    List<ReplTool> all() {
        return List.of(evaluate(), measure(), runFile());
    }

    private ReplTool evaluate() {
        return new ReplTool(
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
                Effect.RUNS_CODE,
                List.of(CODE, TIMEOUT),
                EvaluationFormatter.schema(),
                (arguments, progress) ->
                        evaluateAndFormat(arguments.text("code"), 1, arguments, progress, false));
    }

    private ReplTool measure() {
        return new ReplTool(
                "measure",
                "Time and measure Java",
                """
                Evaluates Java code and tells how long its last snippet ran and how many bytes its \
                thread allocated. With runs above 1 that snippet runs so many times in a row, and \
                the median, least and greatest time are told: the first runs are slow until the \
                JVM has compiled the code.\
                """,
                Effect.RUNS_CODE,
                List.of(
                        CODE,
                        ToolParameter.integer(
                                "runs", 1, ReplSession.RUNS_MAX, "How often to run it. Default 1."),
                        TIMEOUT),
                EvaluationFormatter.schema(),
                (arguments, progress) -> {
                    int runs = (int) arguments.number("runs", 1);
                    return evaluateAndFormat(
                            arguments.text("code"), runs, arguments, progress, true);
                });
    }

    private ReplTool runFile() {
        return new ReplTool(
                "run_file",
                "Run a file",
                """
                Evaluates a .java or .jsh file in the session, so that what it defines can be used \
                afterwards. A main method in a .java file is called, unless main is false. Its \
                package declaration is left out: a session has no packages.\
                """,
                Effect.RUNS_CODE,
                List.of(
                        ToolParameter.text(
                                "path",
                                4_096,
                                "The file; if relative, to the folder in which the server runs."),
                        ToolParameter.texts("args", 100_000, "Arguments for the main method."),
                        ToolParameter.flag(
                                "main", "Whether to call the main method. Default true."),
                        TIMEOUT),
                EvaluationFormatter.schema(),
                this::runFile);
    }

    private ReplToolResult runFile(ToolArguments arguments, ProgressListener progress)
            throws ReplException, InterruptedException {
        PreparedSource file;
        try {
            file = SourceFileReader.read(Path.of(arguments.text("path")), session);
        } catch (InvalidPathException e) {
            throw new ReplException("That is no path: " + e.getMessage(), e);
        }
        boolean calls = arguments.bool("main", true) && !file.mainCall().isEmpty();
        String array =
                arguments.texts("args").stream()
                        .map(RunTools::stringLiteral)
                        .collect(Collectors.joining(", ", "(new String[] {", "})"));
        String call = calls ? "\n" + file.mainCall().replace("(args)", array) + ";" : "";
        ReplToolResult answer =
                evaluateAndFormat(file.code() + call, 1, arguments, progress, false);
        if (file.ignoredLines().isEmpty()) {
            return answer;
        }
        return answer.withNotice(
                "Not Java, so left out: " + String.join(", ", file.ignoredLines()));
    }

    /** A string as it is written in Java. */
    private static String stringLiteral(String text) {
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

    private ReplToolResult evaluateAndFormat(
            String code,
            int runs,
            ToolArguments arguments,
            ProgressListener progress,
            boolean measured)
            throws ReplException, InterruptedException {
        CapturedOutput background = session.takeBackgroundOutput();
        EvaluationResult evaluation =
                session.evaluate(
                        new EvaluationRequest(code, runs, ""),
                        limits(session, arguments),
                        progress);
        return new EvaluationFormatter(evaluation, background, resources)
                .answer(measured)
                .withNotice(evaluation.notice());
    }

    /** The limits of the session, with the time that a call asks for. */
    static EvaluationLimits limits(ReplSession session, ToolArguments arguments) {
        EvaluationLimits limits = session.limits();
        return limits.withTimeout(
                Duration.ofMillis(arguments.number("timeoutMs", limits.timeout().toMillis())));
    }
}

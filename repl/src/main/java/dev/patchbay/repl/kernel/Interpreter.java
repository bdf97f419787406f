package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.SnippetSplitter.SnippetSource;

import jdk.jshell.JShell;
import jdk.jshell.PersistentSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JShell whose snippets run in this JVM, and its evaluation of code in many snippets. */
final class Interpreter {
    private static final int SNIPPETS_MAX = 1_000;
    private static final int LISTED_VALUE_CHARS_MAX = 200;
    private static final String STARTUP_PREFIX = "start-";
    private static final String RESTORED_PREFIX = "kept-";

    private final KernelChannel channel;
    private final SnippetRunner runner = new SnippetRunner(new SnippetClassLoader());
    private final JShell shell;
    private final SourceCodeAnalysis analysis;
    private String idPrefix = STARTUP_PREFIX;
    private int lastId;

    Interpreter(KernelChannel wire) {
        this.channel = wire;
        shell = builder(runner).idGenerator((snippet, number) -> idPrefix + ++lastId).build();
        analysis = shell.sourceCodeAnalysis();
        for (String name : KernelMain.IMPORTED_PACKAGES) {
            shell.eval("import " + name + ".*;");
        }
        // The first compilation of code that runs loads much of the compiler.
        shell.eval("0").forEach(event -> shell.drop(event.snippet()));
        runner.takeStatistics();
        continueNumbering(0);
    }

    /** A shell with our settings, whose code goes to an execution control. */
    static JShell.Builder builder(ExecutionControl control) {
        var provider =
                new ExecutionControlProvider() {
                    @Override
                    public String name() {
                        return "patchbay";
                    }

                    @Override
                    public ExecutionControl generate(
                            ExecutionEnv environment, Map<String, String> parameters) {
                        return control;
                    }
                };
        return JShell.builder()
                .executionEngine(provider, Map.of())
                .compilerOptions("-parameters", "-proc:none");
    }

    JShell shell() {
        return shell;
    }

    SourceCodeAnalysis analysis() {
        return analysis;
    }

    SnippetRunner runner() {
        return runner;
    }

    SnippetClassLoader loader() {
        return runner.loader();
    }

    /** Snippets are numbered from behind this on, so that no number is used twice. */
    void continueNumbering(int last) {
        idPrefix = "";
        lastId = last;
    }

    /** Snippets are numbered as what was kept of an earlier session. */
    void startRestoredNumbering() {
        idPrefix = RESTORED_PREFIX;
        lastId = 0;
    }

    boolean isStartupSnippet(Snippet snippet) {
        return snippet.id().startsWith(STARTUP_PREFIX);
    }

    /** Defines one thing, adding what changed to the array; false if it cannot be defined. */
    boolean define(String source, JsonWriter changes) {
        List<SnippetEvent> events = shell.eval(source);
        for (SnippetEvent event : events) {
            if (event.snippet() instanceof PersistentSnippet definition) {
                DefinitionWriter.write(shell, definition, changes);
            }
        }
        return !events.isEmpty() && events.stream().noneMatch(Interpreter::isFailure);
    }

    /** The value of a variable by the id of its snippet. */
    Optional<String> value(String id) {
        runner.setValueCharsMax(LISTED_VALUE_CHARS_MAX);
        return shell.variables()
                .filter(variable -> variable.id().equals(id))
                .filter(variable -> shell.status(variable).isActive())
                .map(shell::varValue)
                .findFirst();
    }

    /**
     * Evaluates the snippets of the code until one fails, telling of each as it ends. The last one
     * runs as often as asked for.
     */
    JsonWriter evaluate(String code, int valueCharsMax, int runs) {
        runner.setValueCharsMax(valueCharsMax);
        var report = new SnippetReportWriter(shell, code);
        var walk = new SnippetSplitter(analysis, code);
        boolean failed = false;
        SnippetSource part = walk.next();
        for (int count = 0; part != null && !failed && count < SNIPPETS_MAX; count++) {
            boolean last = walk.remaining().isEmpty();
            runner.setRuns(last ? runs : 1);
            List<SnippetEvent> events = shell.eval(part.source());
            UncloseablePrintStream.replaceMissing(channel);
            if (!events.isEmpty()) {
                channel.send(report.write(part, events, runner.takeStatistics()));
            }
            failed = StopSignal.isRequested() || events.stream().anyMatch(Interpreter::isFailure);
            part = failed ? null : walk.next();
        }
        String rest = part == null ? walk.remaining() : part.source() + walk.remaining();
        return KernelChannel.beginMessage("done").member("failed", failed).member("notRun", rest);
    }

    /** Whether the shell still works, after a fault in it. */
    boolean isUsable() {
        int last = lastId;
        idPrefix = STARTUP_PREFIX;
        try {
            List<SnippetEvent> events = shell.eval("0");
            events.forEach(event -> shell.drop(event.snippet()));
            return events.stream().noneMatch(Interpreter::isFailure);
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            return false;
        } finally {
            continueNumbering(last);
        }
    }

    static boolean isFailure(SnippetEvent event) {
        return event.causeSnippet() == null
                && (event.exception() != null || event.status() == Status.REJECTED);
    }
}

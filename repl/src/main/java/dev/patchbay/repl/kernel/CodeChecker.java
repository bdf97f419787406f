package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.SnippetSplitter.SnippetSource;

import jdk.jshell.DeclarationSnippet;
import jdk.jshell.JShell;
import jdk.jshell.PersistentSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.VarSnippet;
import jdk.jshell.spi.ExecutionControl;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The check of code against what the session has defined, without running any of it: a second shell
 * with the same definitions, whose code goes nowhere.
 */
final class CodeChecker {
    private static final int SNIPPETS_MAX = 200;

    private final JShell session;
    private final List<String> classpath = new ArrayList<>();
    private final Set<String> copiedIds = new HashSet<>();
    private @Nullable JShell shell;

    CodeChecker(JShell session) {
        this.session = session;
    }

    void addToClasspath(String path) {
        classpath.add(path);
        if (shell != null) {
            shell.addToClasspath(path);
        }
    }

    JsonWriter check(String code) {
        JShell dry = updatedShell();
        var report = new SnippetReportWriter(dry, code);
        var walk = new SnippetSplitter(dry.sourceCodeAnalysis(), code);
        boolean valid = true;
        boolean complete = true;
        boolean declares = false;
        JsonWriter answer = KernelChannel.beginMessage("done").name("snippets").beginArray();
        SnippetSource part = walk.next();
        for (int count = 0; part != null && count < SNIPPETS_MAX; count++) {
            List<SnippetEvent> events = dry.eval(part.source());
            for (SnippetEvent event : events) {
                declares |= event.snippet() instanceof PersistentSnippet;
                valid &= event.status() != Status.REJECTED;
            }
            if (!events.isEmpty()) {
                write(dry, report, part, events.getFirst().snippet(), answer);
            }
            complete &= !part.isIncomplete();
            part = walk.next();
        }
        if (declares) {
            // What was only checked must not count as defined in the next check.
            discard();
        }
        return answer.endArray().member("valid", valid).member("complete", complete);
    }

    private static void write(
            JShell dry,
            SnippetReportWriter report,
            SnippetSource part,
            Snippet snippet,
            JsonWriter target) {
        target.beginObject();
        target.member("kind", DefinitionWriter.kind(snippet));
        target.member("status", dry.status(snippet).name());
        target.member("incomplete", part.isIncomplete());
        target.name("diagnostics");
        report.writeDiagnostics(dry.diagnostics(snippet).toList(), part.offset(), target);
        if (snippet instanceof DeclarationSnippet declaration) {
            target.name("missing").beginArray();
            dry.unresolvedDependencies(declaration).forEach(target::string);
            target.endArray();
        }
        target.endObject();
    }

    /** The second shell, with all that the session has defined by now. */
    private JShell updatedShell() {
        JShell dry = shell;
        if (dry == null) {
            dry = Interpreter.builder(new NoExecution()).build();
            classpath.forEach(dry::addToClasspath);
            shell = dry;
        }
        for (Snippet snippet : session.snippets().toList()) {
            if (snippet instanceof PersistentSnippet
                    && session.status(snippet).isActive()
                    && copiedIds.add(snippet.id())) {
                dry.eval(declaration(snippet));
            }
        }
        return dry;
    }

    private static String declaration(Snippet snippet) {
        return snippet instanceof VarSnippet variable
                ? variable.typeName() + " " + variable.name() + ";"
                : snippet.source();
    }

    private void discard() {
        if (shell != null) {
            shell.close();
            shell = null;
        }
        copiedIds.clear();
    }

    /** An execution control that executes nothing. */
    private static final class NoExecution implements ExecutionControl {
        @Override
        public void load(ClassBytecodes[] classes) {}

        @Override
        public void redefine(ClassBytecodes[] classes) {}

        @Override
        public String invoke(String className, String methodName) {
            return "";
        }

        @Override
        public String varValue(String className, String varName) {
            return "";
        }

        @Override
        public void addToClasspath(String path) {}

        @Override
        public void stop() {}

        @Override
        public Object extensionCommand(String command, Object arg) {
            return "";
        }

        @Override
        public void close() {}
    }
}

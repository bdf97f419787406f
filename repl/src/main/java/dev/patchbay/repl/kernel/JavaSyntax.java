package dev.patchbay.repl.kernel;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The grammar of Java, asked without anything being compiled. */
final class JavaSyntax {
    /** The name of the class that holds what stands at the top of a file without a class. */
    static final String FILE_NAME = "patchbay_file";

    /** A parsed source, and whether it has no fault. */
    record Parsed(CompilationUnitTree unit, JavacTask task, boolean isCorrect) {}

    private JavaSyntax() {}

    /** Whether a text of more than one line can be a single snippet. */
    static boolean isSnippet(String source) {
        String text = source.strip();
        if (text.indexOf('\n') < 0) {
            return true;
        }
        String bare = text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
        return Stream.of(
                        "class A { void m() { " + text + "\n} }",
                        "class A { Object o = " + bare + "\n; }",
                        "class A { " + text + "\n}",
                        text)
                .anyMatch(wrapped -> parse(wrapped).isCorrect());
    }

    /** Parses a source, which may have faults and refer to anything. */
    static Parsed parse(String source) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var faults = new DiagnosticCollector<JavaFileObject>();
        var task =
                (JavacTask)
                        compiler.getTask(
                                null,
                                null,
                                faults,
                                List.of(),
                                null,
                                List.of(new InMemorySource(source)));
        try {
            var unit = task.parse().iterator().next();
            boolean faulty =
                    faults.getDiagnostics().stream()
                            .anyMatch(one -> one.getKind() == Diagnostic.Kind.ERROR);
            return new Parsed(unit, task, !faulty);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A source in memory. */
    private static final class InMemorySource extends SimpleJavaFileObject {
        private final String text;

        InMemorySource(String text) {
            super(URI.create("string:///" + FILE_NAME + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}

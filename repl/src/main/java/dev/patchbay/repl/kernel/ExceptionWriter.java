package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;

import jdk.jshell.EvalException;
import jdk.jshell.JShell;
import jdk.jshell.JShellException;
import jdk.jshell.UnresolvedReferenceException;

import java.util.List;

/** Exceptions as JSON: class, message, the trace with snippets by their number, and the causes. */
final class ExceptionWriter {
    private ExceptionWriter() {}

    static void write(JShell shell, JShellException exception, JsonWriter target) {
        target.beginObject();
        switch (exception) {
            case EvalException thrown -> {
                target.member("class", sourceName(thrown.getExceptionClassName()));
                target.member("message", thrown.getMessage() == null ? "" : thrown.getMessage());
            }
            case UnresolvedReferenceException unresolved -> {
                target.member("class", "unresolved reference");
                target.member("message", missingDeclarations(shell, unresolved));
            }
            default -> {
                target.member("class", exception.getClass().getName());
                target.member("message", String.valueOf(exception.getMessage()));
            }
        }
        target.name("trace").beginArray();
        for (StackTraceElement frame : exception.getStackTrace()) {
            writeFrame(frame, target);
        }
        target.endArray();
        if (exception.getCause() instanceof JShellException cause) {
            target.name("cause");
            write(shell, cause, target);
        }
        target.endObject();
    }

    /** The name of a class as the user wrote it, without the classes that JShell puts around. */
    static String sourceName(String className) {
        return className.replaceAll("REPL\\.\\$JShell\\$\\w+[.$]", "").replace('$', '.');
    }

    private static String missingDeclarations(
            JShell shell, UnresolvedReferenceException unresolved) {
        List<String> names = shell.unresolvedDependencies(unresolved.getSnippet()).toList();
        return unresolved.getSnippet().name()
                + " cannot run until these are declared: "
                + String.join(", ", names);
    }

    private static void writeFrame(StackTraceElement frame, JsonWriter target) {
        target.beginObject();
        String file = frame.getFileName();
        if (file != null && file.startsWith("#")) {
            target.member("snippet", file.substring(1));
        } else if (file != null) {
            target.member("file", file);
        }
        if (frame.getLineNumber() > 0) {
            target.member("line", frame.getLineNumber());
        }
        String owner = frame.getClassName();
        // JShell's own name for the code of a snippet that is no method.
        String method = frame.getMethodName().replaceFirst("do_it\\$(Aux)?", "");
        target.member("at", owner.isEmpty() ? method : owner + "." + method);
        target.endObject();
    }
}

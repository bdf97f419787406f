package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;

import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;
import jdk.jshell.PersistentSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.VarSnippet;

import java.util.Locale;

/** What a session has defined, as JSON. */
final class DefinitionWriter {
    private DefinitionWriter() {}

    /** Writes one definition with its present status. */
    static void write(JShell shell, PersistentSnippet snippet, JsonWriter target) {
        Status status = shell.status(snippet);
        target.beginObject();
        target.member("id", snippet.id());
        target.member("kind", kind(snippet));
        target.member("name", name(snippet));
        target.member("key", key(snippet));
        target.member("type", type(snippet));
        target.member("source", snippet.source());
        target.member("active", status.isActive());
        target.member("temporary", isTemporary(snippet));
        if (status == Status.RECOVERABLE_DEFINED || status == Status.RECOVERABLE_NOT_DEFINED) {
            target.name("missing").beginArray();
            shell.unresolvedDependencies((jdk.jshell.DeclarationSnippet) snippet)
                    .forEach(target::string);
            target.endArray();
        }
        target.endObject();
    }

    static String kind(Snippet snippet) {
        return switch (snippet) {
            case ImportSnippet _ -> "import";
            case TypeDeclSnippet _ -> "type";
            case MethodSnippet _ -> "method";
            case VarSnippet _ -> "variable";
            default -> snippet.kind().name().toLowerCase(Locale.ROOT);
        };
    }

    /** What a new definition replaces: an older one with the same key. */
    private static String key(PersistentSnippet snippet) {
        return switch (snippet) {
            case MethodSnippet method -> "method " + method.name() + parameters(method);
            case ImportSnippet imported -> "import " + imported.fullname() + imported.isStatic();
            default -> kind(snippet) + " " + snippet.name();
        };
    }

    private static String name(PersistentSnippet snippet) {
        return snippet instanceof ImportSnippet imported ? imported.fullname() : snippet.name();
    }

    private static String type(PersistentSnippet snippet) {
        return switch (snippet) {
            case MethodSnippet method -> method.signature();
            case VarSnippet variable -> variable.typeName() == null ? "" : variable.typeName();
            case TypeDeclSnippet type ->
                    type.subKind().name().replace("_SUBKIND", "").toLowerCase(Locale.ROOT);
            default -> "";
        };
    }

    /** A definition in one line, without what it does. */
    static String declaration(Snippet snippet) {
        return switch (snippet) {
            case MethodSnippet method -> {
                String signature = method.signature();
                int end = signature.lastIndexOf(')') + 1;
                String result = signature.substring(end);
                yield result + " " + method.name() + signature.substring(0, end);
            }
            case VarSnippet variable -> variable.typeName() + " " + variable.name();
            case TypeDeclSnippet type -> type(type) + " " + type.name();
            default -> snippet.source();
        };
    }

    private static String parameters(MethodSnippet method) {
        return "(" + method.parameterTypes() + ")";
    }

    static boolean isTemporary(Snippet snippet) {
        return snippet.subKind() == SubKind.TEMP_VAR_EXPRESSION_SUBKIND;
    }
}

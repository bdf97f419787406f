package dev.patchbay.repl.kernel;

import dev.patchbay.repl.kernel.code.ClassFileCatalog;
import dev.patchbay.repl.kernel.code.ReferenceScanner;
import dev.patchbay.repl.kernel.code.ReferenceTarget;
import dev.patchbay.repl.kernel.code.ReferenceTarget.Kind;

import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.VarSnippet;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What names in a question about compiled code mean, and the class files that may answer it. */
final class CodeTargets {
    private static final int CANDIDATES_MAX = 20;

    private final Interpreter interpreter;
    private final JShell shell;
    private final TypeLookup types;

    CodeTargets(Interpreter interpreter, TypeLookup types) {
        this.interpreter = interpreter;
        this.shell = interpreter.shell();
        this.types = types;
    }

    /** The class files that the session sees, of its own code what is defined now. */
    ClassFileCatalog catalog() {
        SnippetClassLoader loader = interpreter.loader();
        List<String> paths =
                Stream.of(loader.getURLs())
                        .map(URL::getPath)
                        .map(path -> new File(path).getPath())
                        .toList();
        return new ClassFileCatalog(activeClasses(loader), paths, loader::classFile);
    }

    private Map<String, byte[]> activeClasses(SnippetClassLoader loader) {
        Set<String> wrappers =
                shell.snippets()
                        .filter(snippet -> shell.status(snippet).isActive())
                        .filter(snippet -> !interpreter.isStartupSnippet(snippet))
                        .map(types::wrapperName)
                        .collect(Collectors.toSet());
        var active = new HashMap<String, byte[]>();
        loader.compiledClasses()
                .forEach(
                        (name, bytes) -> {
                            int end =
                                    name.indexOf('$', name.indexOf('$', name.indexOf('$') + 1) + 1);
                            if (wrappers.contains(end < 0 ? name : name.substring(0, end))) {
                                active.put(name, bytes);
                            }
                        });
        return active;
    }

    /** What a name means: a definition of the session, a class, or a member of a class. */
    ReferenceTarget target(String asked, ClassFileCatalog catalog) {
        int open = asked.indexOf('(');
        List<String> parameters = open < 0 ? null : parameters(asked.substring(open + 1));
        String name =
                (open < 0 ? asked : asked.substring(0, open))
                        .strip()
                        .replace("::", ".")
                        .replace('#', '.');
        ReferenceTarget defined = definition(name, parameters);
        if (defined != null) {
            return defined;
        }
        var candidates = new ArrayList<String>();
        Class<?> type = parameters == null ? types.find(name, candidates) : null;
        if (type != null) {
            return new ReferenceTarget(Kind.CLASS, internalName(type), null, null);
        }
        int dot = name.lastIndexOf('.');
        Class<?> owner = dot < 0 ? null : types.find(name.substring(0, dot), candidates);
        if (owner == null) {
            throw new RefusedException(unknown(asked, candidates));
        }
        return member(owner, name.substring(dot + 1), parameters, catalog);
    }

    private @Nullable ReferenceTarget definition(String name, @Nullable List<String> parameters) {
        return shell.snippets()
                .filter(snippet -> shell.status(snippet).isActive())
                .map(snippet -> definition(snippet, name, parameters))
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    private @Nullable ReferenceTarget definition(
            Snippet snippet, String name, @Nullable List<String> parameters) {
        Kind kind =
                switch (snippet) {
                    case MethodSnippet method when method.name().equals(name) -> Kind.METHOD;
                    case VarSnippet variable
                            when variable.name().equals(name) && parameters == null ->
                            Kind.FIELD;
                    default -> null;
                };
        return kind == null
                ? null
                : new ReferenceTarget(
                        kind, types.wrapperName(snippet).replace('.', '/'), name, parameters);
    }

    private static ReferenceTarget member(
            Class<?> owner,
            String name,
            @Nullable List<String> parameters,
            ClassFileCatalog catalog) {
        boolean isConstructor = name.equals("new") || name.equals(owner.getSimpleName());
        String member = isConstructor ? "<init>" : name;
        for (Kind kind : List.of(Kind.METHOD, Kind.FIELD)) {
            var target = new ReferenceTarget(kind, internalName(owner), member, parameters);
            if (ReferenceScanner.exists(target, catalog)) {
                return ReferenceScanner.declared(target, catalog);
            }
        }
        throw new RefusedException(
                "%s has no member %s%s"
                        .formatted(
                                owner.getName(),
                                name,
                                parameters == null ? "" : " with such parameters"));
    }

    /** The class that a name means. */
    Class<?> type(String name) {
        var candidates = new ArrayList<String>();
        Class<?> found = types.find(name.strip(), candidates);
        if (found == null) {
            throw new RefusedException(unknown(name, candidates));
        }
        return found;
    }

    private static String unknown(String name, List<String> candidates) {
        return candidates.isEmpty()
                ? "There is no class, member or definition " + name
                : name
                        + " may be any of "
                        + candidates.stream()
                                .limit(CANDIDATES_MAX)
                                .collect(Collectors.joining(", "));
    }

    static String internalName(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private static List<String> parameters(String text) {
        String inside = text.replaceAll("\\).*", "").replaceAll("<[^<>]*>", "");
        return inside.isBlank()
                ? List.of()
                : Arrays.stream(inside.split(",", -1)).map(String::strip).toList();
    }
}

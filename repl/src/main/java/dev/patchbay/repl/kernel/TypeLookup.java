package dev.patchbay.repl.kernel;

import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.TypeDeclSnippet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Finds classes by the names that code in the session may use for them. */
final class TypeLookup {
    private final JShell shell;
    private final SnippetClassLoader loader;
    private final ClassIndex index;

    TypeLookup(Interpreter interpreter, ClassIndex index) {
        this.shell = interpreter.shell();
        this.loader = interpreter.loader();
        this.index = index;
    }

    /** The class of that name; if there are several, they are the candidates. */
    @Nullable Class<?> find(String name, List<String> candidates) {
        Class<?> declared = findSessionType(name);
        if (declared != null) {
            return declared;
        }
        for (String prefix : packagePrefixes(name)) {
            Class<?> found = load(prefix.isEmpty() ? name : prefix + "." + name);
            if (found != null) {
                return found;
            }
        }
        if (name.contains(".")) {
            return null;
        }
        List<ClassIndex.Entry> named = index.named(name);
        if (named.size() == 1) {
            return load(named.getFirst().name());
        }
        named.forEach(entry -> candidates.add(entry.name()));
        return null;
    }

    private @Nullable Class<?> findSessionType(String name) {
        String simple = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
        String inner = name.substring(simple.length()).replace('.', '$');
        return shell.types()
                .filter(type -> type.name().equals(simple) && shell.status(type).isActive())
                .map(type -> load(binaryName(type) + inner))
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    /** The name of the class that JShell made of a type, which only its wrapper knows. */
    private String binaryName(TypeDeclSnippet type) {
        return wrapperName(type) + "$" + type.name();
    }

    /** Where a name without a package may be found: as it is, and by what is imported. */
    private List<String> packagePrefixes(String name) {
        var prefixes = new ArrayList<>(List.of("", "java.lang"));
        String simple = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
        shell.imports()
                .filter(imported -> shell.status(imported).isActive() && !imported.isStatic())
                .map(ImportSnippet::fullname)
                .filter(full -> full.endsWith(".*") || full.endsWith("." + simple))
                .forEach(full -> prefixes.add(full.substring(0, full.lastIndexOf('.'))));
        return prefixes;
    }

    /** A class by its name in Java, in which a dot may also stand before an inner class. */
    private @Nullable Class<?> load(String name) {
        String binary = name;
        while (true) {
            try {
                return Class.forName(binary, false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                int dot = binary.lastIndexOf('.');
                if (dot < 0) {
                    return null;
                }
                binary = binary.substring(0, dot) + "$" + binary.substring(dot + 1);
            }
        }
    }

    /** The name of the class that JShell puts around a snippet. */
    String wrapperName(Snippet snippet) {
        return shell.sourceCodeAnalysis().wrapper(snippet).fullClassName();
    }
}

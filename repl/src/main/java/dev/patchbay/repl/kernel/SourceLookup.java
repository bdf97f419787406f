package dev.patchbay.repl.kernel;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePath;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * What the source of a class says beyond its class file: documentation, and the names of
 * parameters. Sources are looked for in the JDK's {@code src.zip} and in a {@code -sources.jar}
 * beside a jar.
 */
final class SourceLookup {
    private static final long SOURCE_BYTES_MAX = 8L * 1024 * 1024;

    /** The source of one class. */
    static final class ClassSource {
        private final JavaSyntax.Parsed parsed;
        private final ClassTree type;
        private final TreePath path;

        private ClassSource(JavaSyntax.Parsed parsed, TreePath path) {
            this.parsed = parsed;
            this.path = path;
            this.type = (ClassTree) path.getLeaf();
        }

        /** What stands before the class; empty if nothing does. */
        String documentation() {
            return documentation(path);
        }

        /** What stands before a member; empty if nothing does. */
        String documentation(Executable member) {
            MethodTree method = method(member);
            return method == null ? "" : documentation(new TreePath(path, method));
        }

        /** The names of a member's parameters; null if the source does not have it. */
        @Nullable List<String> parameterNames(Executable member) {
            MethodTree method = method(member);
            return method == null
                    ? null
                    : method.getParameters().stream().map(p -> p.getName().toString()).toList();
        }

        private String documentation(TreePath place) {
            String comment = DocTrees.instance(parsed.task()).getDocComment(place);
            return comment == null ? "" : JavadocText.toPlainText(comment);
        }

        private @Nullable MethodTree method(Executable member) {
            String name = member instanceof java.lang.reflect.Method ? member.getName() : "<init>";
            for (Tree tree : type.getMembers()) {
                if (tree instanceof MethodTree method
                        && method.getName().contentEquals(name)
                        && fits(method.getParameters(), member.getGenericParameterTypes())) {
                    return method;
                }
            }
            return null;
        }

        private static boolean fits(List<? extends VariableTree> parameters, Type[] types) {
            if (parameters.size() != types.length) {
                return false;
            }
            for (int i = 0; i < types.length; i++) {
                String written = parameters.get(i).getType().toString();
                if (!plain(written).equals(plain(SignatureFormatter.name(types[i])))) {
                    return false;
                }
            }
            return true;
        }

        /** A type without annotations, arguments and packages: what two spellings share. */
        private static String plain(String type) {
            String bare = type.replaceAll("@\\w+(\\([^)]*\\))?\\s*", "");
            while (bare.contains("<")) {
                String less = bare.replaceAll("<[^<>]*>", "");
                if (less.equals(bare)) {
                    break;
                }
                bare = less;
            }
            return bare.replace("...", "[]").replaceAll("[\\w.]*\\.", "").strip();
        }
    }

    private SourceLookup() {}

    /** The source of a class; null where there is none. */
    static @Nullable ClassSource of(Class<?> type) {
        Class<?> top = type;
        while (top.getEnclosingClass() != null) {
            top = top.getEnclosingClass();
        }
        String text = text(top);
        return text == null ? null : find(JavaSyntax.parse(text), type);
    }

    private static @Nullable ClassSource find(JavaSyntax.Parsed parsed, Class<?> type) {
        TreePath place = new TreePath(parsed.unit());
        if (type.getEnclosingClass() != null) {
            ClassSource outer = find(parsed, type.getEnclosingClass());
            if (outer == null) {
                return null;
            }
            place = outer.path;
        }
        List<? extends Tree> members =
                place.getLeaf() instanceof ClassTree outer
                        ? outer.getMembers()
                        : parsed.unit().getTypeDecls();
        for (Tree member : members) {
            if (member instanceof ClassTree found
                    && found.getSimpleName().contentEquals(type.getSimpleName())) {
                return new ClassSource(parsed, new TreePath(place, found));
            }
        }
        return null;
    }

    private static @Nullable String text(Class<?> top) {
        String file = top.getName().replace('.', '/') + ".java";
        String module = top.getModule().getName();
        if (module != null) {
            Path archive = Path.of(System.getProperty("java.home"), "lib", "src.zip");
            return read(archive, module + "/" + file);
        }
        CodeSource origin = top.getProtectionDomain().getCodeSource();
        boolean known = origin != null && origin.getLocation() != null;
        String jar = known ? origin.getLocation().toString() : "";
        if (!jar.endsWith(".jar")) {
            return null;
        }
        String sources = jar.substring(0, jar.length() - ".jar".length()) + "-sources.jar";
        try {
            return read(Path.of(new URI(sources)), file);
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static @Nullable String read(Path archive, String file) {
        if (!Files.isReadable(archive)) {
            return null;
        }
        try (var zip = new ZipFile(archive.toFile())) {
            ZipEntry entry = zip.getEntry(file);
            if (entry == null || entry.getSize() > SOURCE_BYTES_MAX) {
                return null;
            }
            try (var content = zip.getInputStream(entry)) {
                return new String(content.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            return null;
        }
    }
}

package dev.patchbay.repl.kernel;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.Trees;

import dev.patchbay.json.JsonWriter;

import javax.lang.model.element.Modifier;

/**
 * A Java source file made ready for a session: its package declaration gives way to blanks, since a
 * session has no packages, and its main method is found.
 */
final class SourceFilePreparer {
    private SourceFilePreparer() {}

    static JsonWriter prepare(String source) {
        JavaSyntax.Parsed parsed = JavaSyntax.parse(source);
        CompilationUnitTree unit = parsed.unit();
        var positions = Trees.instance(parsed.task()).getSourcePositions();
        String code = source;
        Tree named = unit.getPackage();
        if (named != null) {
            int from = (int) positions.getStartPosition(unit, named);
            int to = (int) positions.getEndPosition(unit, named);
            code = source.substring(0, from) + " ".repeat(to - from) + source.substring(to);
        }
        // A file without a class of its own sees all of this module without an import.
        String imports = isCompact(unit) ? "import module java.base; " : "";
        return KernelChannel.beginMessage("done")
                .member("code", imports + code)
                .member("main", mainCall(unit));
    }

    private static boolean isCompact(CompilationUnitTree unit) {
        return unit.getTypeDecls().stream().anyMatch(SourceFilePreparer::isCompact);
    }

    /** Whether a class is the one that holds what stands at the top of a file without a class. */
    private static boolean isCompact(Tree type) {
        return type instanceof ClassTree declared
                && declared.getSimpleName().contentEquals(JavaSyntax.FILE_NAME);
    }

    /** The call of the file's main method with {@code args}; empty if it has none. */
    private static String mainCall(CompilationUnitTree unit) {
        for (Tree type : unit.getTypeDecls()) {
            if (type instanceof ClassTree declared) {
                for (Tree member : declared.getMembers()) {
                    if (member instanceof MethodTree method
                            && method.getName().contentEquals("main")
                            && method.getParameters().size() <= 1) {
                        return call(declared, method);
                    }
                }
            }
        }
        return "";
    }

    private static String call(ClassTree type, MethodTree main) {
        String arguments = main.getParameters().isEmpty() ? "()" : "(args)";
        if (isCompact(type)) {
            return "main" + arguments;
        }
        boolean instance = !main.getModifiers().getFlags().contains(Modifier.STATIC);
        String owner = type.getSimpleName().toString();
        return (instance ? "new " + owner + "()" : owner) + ".main" + arguments;
    }
}

package dev.patchbay.repl.kernel.code;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Finds methods and constructors by the types that they take and return. */
public final class MethodFinder {
    private static final int METHODS_MAX = 20_000;

    /**
     * What is wanted of a method.
     *
     * @param parameter a type among its parameters; null for any
     * @param result the type that it returns, or for a constructor makes; null for any
     * @param name a part of its name; empty for any
     */
    public record Wanted(@Nullable ClassDesc parameter, @Nullable ClassDesc result, String name) {}

    /** A method that was found. */
    public record Found(String owner, String signature, boolean isStatic, String origin) {}

    /**
     * What was found.
     *
     * @param hidden how many are not listed, because other code cannot call them
     * @param dropped how many are not listed, because there were too many
     */
    public record Result(
            List<Found> methods, int hidden, int dropped, ClassFileCatalog.WalkResult walk) {}

    private final Wanted wanted;
    private final List<Found> found = new ArrayList<>();
    private int hidden;
    private int dropped;

    private MethodFinder(Wanted wanted) {
        this.wanted = wanted;
    }

    /** Searches the class files of a scope, until it is told to stop. */
    public static Result find(
            Wanted wanted,
            ClassFileCatalog catalog,
            ClassFileCatalog.Scope scope,
            BooleanSupplier stop) {
        var finder = new MethodFinder(wanted);
        var walk = catalog.walk(scope, stop, finder::visit);
        return new Result(finder.found, finder.hidden, finder.dropped, walk);
    }

    private void visit(byte[] bytes, String origin) {
        ClassModel type = ClassFile.of().parse(bytes);
        String owner = type.thisClass().asInternalName();
        for (MethodModel method : type.methods()) {
            if (!isMeant(method, type)) {
                continue;
            }
            if (!isVisible(type, method, origin)) {
                hidden++;
            } else if (found.size() >= METHODS_MAX) {
                dropped++;
            } else {
                found.add(
                        new Found(
                                TypeNames.ofClass(owner),
                                signature(method),
                                method.flags().has(AccessFlag.STATIC),
                                origin));
            }
        }
    }

    private boolean isMeant(MethodModel method, ClassModel type) {
        String name = method.methodName().stringValue();
        if (method.flags().has(AccessFlag.SYNTHETIC)
                || name.equals("<clinit>")
                || name.startsWith("do_it$")
                || !name.contains(wanted.name())) {
            return false;
        }
        MethodTypeDesc descriptor = method.methodTypeSymbol();
        ClassDesc result = wanted.result();
        if (result != null) {
            ClassDesc made =
                    name.equals("<init>") ? type.thisClass().asSymbol() : descriptor.returnType();
            if (!made.equals(result)) {
                return false;
            }
        }
        ClassDesc parameter = wanted.parameter();
        return parameter == null || descriptor.parameterList().contains(parameter);
    }

    private static boolean isVisible(ClassModel type, MethodModel method, String origin) {
        boolean isOpen =
                method.flags().has(AccessFlag.PUBLIC) || method.flags().has(AccessFlag.PROTECTED);
        return origin.equals("session")
                || (isOpen
                        && type.flags().has(AccessFlag.PUBLIC)
                        && ExportedPackages.contain(type.thisClass().asInternalName(), origin));
    }

    private static String signature(MethodModel method) {
        String name = method.methodName().stringValue();
        MethodTypeDesc type = method.methodTypeSymbol();
        return name.equals("<init>")
                ? "new" + TypeNames.parameters(type)
                : TypeNames.of(type.returnType()) + " " + name + TypeNames.parameters(type);
    }
}

package dev.patchbay.repl.kernel.code;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Finds the types that extend or implement another, directly or through others. */
public final class SubtypeFinder {
    private static final int TYPES_MAX = 20_000;
    private static final int DEPTH_MAX = 200;

    /**
     * A type that was found.
     *
     * @param kind class, abstract class, interface, enum, record or annotation
     * @param isDirect whether it names the other itself
     */
    public record Subtype(String name, String kind, boolean isDirect, String origin) {}

    /**
     * What was found.
     *
     * @param hidden how many are not listed, because other code cannot name them
     * @param dropped how many are not listed, because there were too many
     */
    public record Result(
            List<Subtype> subtypes, int hidden, int dropped, ClassFileCatalog.WalkResult walk) {}

    private final String wanted;
    private final boolean concreteOnly;
    private final ClassFileCatalog catalog;
    private final Map<String, Boolean> known = new HashMap<>();
    private final List<Subtype> found = new ArrayList<>();
    private int hidden;
    private int dropped;

    private SubtypeFinder(String wanted, boolean concreteOnly, ClassFileCatalog catalog) {
        this.wanted = wanted;
        this.concreteOnly = concreteOnly;
        this.catalog = catalog;
        known.put(wanted, true);
        known.put("java/lang/Object", wanted.equals("java/lang/Object"));
    }

    /** Finds the subtypes of a class; with {@code concreteOnly} those that can be instantiated. */
    public static Result find(
            String internalName,
            boolean concreteOnly,
            ClassFileCatalog catalog,
            ClassFileCatalog.Scope scope,
            BooleanSupplier stop) {
        var finder = new SubtypeFinder(internalName, concreteOnly, catalog);
        var walk = catalog.walk(scope, stop, finder::visit);
        return new Result(finder.found, finder.hidden, finder.dropped, walk);
    }

    private void visit(byte[] bytes, String origin) {
        ClassModel type = ClassFile.of().parse(bytes);
        String name = type.thisClass().asInternalName();
        if (name.equals(wanted) || !isSubtype(type, 0)) {
            return;
        }
        if (concreteOnly
                && (type.flags().has(AccessFlag.ABSTRACT)
                        || type.flags().has(AccessFlag.INTERFACE))) {
            return;
        }
        if (!isVisible(type, name, origin)) {
            hidden++;
        } else if (found.size() >= TYPES_MAX) {
            dropped++;
        } else {
            found.add(new Subtype(TypeNames.ofClass(name), kind(type), isDirect(type), origin));
        }
    }

    private boolean isSubtype(ClassModel type, int depth) {
        String name = type.thisClass().asInternalName();
        Boolean answer = known.get(name);
        if (answer == null) {
            answer = depth < DEPTH_MAX && supertypes(type).stream().anyMatch(it -> is(it, depth));
            known.put(name, answer);
        }
        return answer;
    }

    private boolean is(String name, int depth) {
        Boolean answer = known.get(name);
        if (answer != null) {
            return answer;
        }
        byte[] bytes = catalog.find(name);
        if (bytes == null) {
            known.put(name, false);
            return false;
        }
        return isSubtype(ClassFile.of().parse(bytes), depth + 1);
    }

    private static List<String> supertypes(ClassModel type) {
        var names = new ArrayList<String>();
        type.superclass().ifPresent(it -> names.add(it.asInternalName()));
        type.interfaces().forEach(it -> names.add(it.asInternalName()));
        return names;
    }

    private boolean isDirect(ClassModel type) {
        return supertypes(type).contains(wanted);
    }

    private static boolean isVisible(ClassModel type, String name, String origin) {
        return origin.equals("session")
                || (type.flags().has(AccessFlag.PUBLIC) && ExportedPackages.contain(name, origin));
    }

    static String kind(ClassModel type) {
        if (type.flags().has(AccessFlag.ANNOTATION)) {
            return "annotation";
        }
        if (type.flags().has(AccessFlag.INTERFACE)) {
            return "interface";
        }
        if (type.flags().has(AccessFlag.ENUM)) {
            return "enum";
        }
        boolean isRecord =
                type.superclass()
                        .filter(it -> it.asInternalName().equals("java/lang/Record"))
                        .isPresent();
        if (isRecord) {
            return "record";
        }
        return type.flags().has(AccessFlag.ABSTRACT) ? "abstract class" : "class";
    }
}

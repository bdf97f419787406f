package dev.patchbay.repl.kernel.code;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The descriptors of the members that a target may mean, in its class and those above it. */
final class MemberDescriptors {
    private static final int CLASSES_MAX = 1_000;

    private MemberDescriptors() {}

    /** Those of the class itself first. */
    static Set<String> of(ReferenceTarget target, ClassFileCatalog catalog) {
        var found = new LinkedHashSet<String>();
        var seen = new LinkedHashSet<String>();
        var next = new ArrayDeque<>(List.of(target.owner()));
        while (!next.isEmpty() && seen.size() < CLASSES_MAX) {
            String name = next.remove();
            byte[] bytes = seen.add(name) ? catalog.find(name) : null;
            if (bytes != null) {
                ClassModel type = ClassFile.of().parse(bytes);
                found.addAll(declared(type, target));
                type.superclass().ifPresent(it -> next.add(it.asInternalName()));
                type.interfaces().forEach(it -> next.add(it.asInternalName()));
            }
        }
        return found;
    }

    private static List<String> declared(ClassModel type, ReferenceTarget target) {
        var found = new ArrayList<String>();
        type.methods().stream()
                .filter(
                        it ->
                                target.fits(
                                        it.methodName().stringValue(),
                                        it.methodType().stringValue()))
                .forEach(it -> found.add(it.methodType().stringValue()));
        type.fields().stream()
                .filter(
                        it ->
                                target.fits(
                                        it.fieldName().stringValue(), it.fieldType().stringValue()))
                .forEach(it -> found.add(it.fieldType().stringValue()));
        return found;
    }
}

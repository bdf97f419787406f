package dev.patchbay.repl.kernel.code;

import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ConstantDynamic;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.FieldVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Handle;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Label;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Type;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All references in some classes, read with ASM: a second opinion that shares no code with ours.
 */
final class AsmReferences extends ClassVisitor {
    private static final int API = Opcodes.ASM9;

    /** A reference to a member as the instruction names it, or to a class: without a name. */
    private record Reference(String owner, String name, String descriptor) {}

    /** Where a reference is and what is done with it. */
    private record Place(String text, Reference reference) {}

    private final Map<String, List<String>> supertypes = new HashMap<>();
    private final Map<String, Set<String>> members = new HashMap<>();
    private final Set<String> notInherited = new HashSet<>();
    private final Map<Place, Integer> places = new HashMap<>();
    private String current = "";

    AsmReferences() {
        super(API);
    }

    void read(byte[] bytes) {
        var reader = new ClassReader(bytes);
        current = reader.getClassName();
        var above = new ArrayList<String>();
        if (reader.getSuperName() != null) {
            above.add(reader.getSuperName());
        }
        above.addAll(Arrays.asList(reader.getInterfaces()));
        supertypes.put(current, above);
        members.put(current, new HashSet<>());
        reader.accept(this, ClassReader.SKIP_FRAMES);
    }

    /** All members that something refers to, by the class that declares them. */
    List<String> usedMembers() {
        var used = new ArrayList<String>();
        for (Place place : places.keySet()) {
            Reference reference = place.reference();
            String declaring = reference.name().isEmpty() ? null : declaring(reference);
            if (declaring != null) {
                used.add(declaring + " " + reference.name() + " " + reference.descriptor());
            }
        }
        return used.stream().distinct().sorted().toList();
    }

    /** The uses of a member: each place with how often. */
    Map<String, Integer> uses(String owner, String name, String descriptor) {
        var found = new TreeMap<String, Integer>();
        places.forEach(
                (place, count) -> {
                    Reference to = place.reference();
                    if (to.name().equals(name)
                            && to.descriptor().equals(descriptor)
                            && owner.equals(declaring(to))) {
                        found.merge(place.text(), count, Integer::sum);
                    }
                });
        return found;
    }

    /** The instructions that name a class itself. */
    Map<String, Integer> usesOfClass(String owner) {
        var found = new TreeMap<String, Integer>();
        places.forEach(
                (place, count) -> {
                    Reference to = place.reference();
                    if (to.name().isEmpty() && to.owner().equals(owner)) {
                        found.merge(place.text(), count, Integer::sum);
                    }
                });
        return found;
    }

    private @Nullable String declaring(Reference reference) {
        String key = reference.name() + " " + reference.descriptor();
        String start = reference.owner().startsWith("[") ? "java/lang/Object" : reference.owner();
        boolean isField = !reference.descriptor().startsWith("(");
        if (isField) {
            return declaringField(start, key);
        }
        var above = new ArrayList<String>();
        for (String type = start; type != null; type = superclass(type)) {
            if (!members.containsKey(type)) {
                return null;
            }
            if (members.get(type).contains(key)) {
                return type;
            }
            collectInterfaces(type, above);
        }
        List<String> candidates =
                above.stream()
                        .filter(it -> members.getOrDefault(it, Set.of()).contains(key))
                        .filter(it -> !notInherited.contains(it + " " + key))
                        .toList();
        return candidates.stream()
                .filter(it -> candidates.stream().noneMatch(other -> extendsInterface(other, it)))
                .findFirst()
                .orElse(null);
    }

    private @Nullable String declaringField(String type, String key) {
        if (members.getOrDefault(type, Set.of()).contains(key)) {
            return type;
        }
        List<String> next = supertypes.getOrDefault(type, List.of());
        // The superclass is the first of them, and is asked last.
        for (int i = 1; i <= next.size(); i++) {
            String found = declaringField(next.get(i % next.size()), key);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable String superclass(String type) {
        List<String> above = supertypes.getOrDefault(type, List.of());
        return above.isEmpty() ? null : above.getFirst();
    }

    private void collectInterfaces(String type, List<String> target) {
        List<String> above = supertypes.getOrDefault(type, List.of());
        for (String one : above.subList(Math.min(1, above.size()), above.size())) {
            if (!target.contains(one)) {
                target.add(one);
                collectInterfaces(one, target);
            }
        }
    }

    private boolean extendsInterface(String type, String other) {
        var above = new ArrayList<String>();
        collectInterfaces(type, above);
        return above.contains(other) && !type.equals(other);
    }

    @Override
    public @Nullable FieldVisitor visitField(
            int access, String name, String descriptor, String signature, Object value) {
        members.get(current).add(name + " " + descriptor);
        return null;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        members.get(current).add(name + " " + descriptor);
        if ((access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) != 0) {
            notInherited.add(current + " " + name + " " + descriptor);
        }
        return new Body(current + "." + name + descriptor);
    }

    /** The instructions of one method. */
    private final class Body extends MethodVisitor {
        private final String method;

        Body(String method) {
            super(API);
            this.method = method;
        }

        private void add(String how, String owner, String name, String descriptor) {
            var reference = new Reference(owner, name, descriptor);
            places.merge(new Place(method + " " + how, reference), 1, Integer::sum);
        }

        private void addType(String how, String name) {
            String element = name;
            if (name.startsWith("[")) {
                Type type = Type.getType(name).getElementType();
                if (type.getSort() != Type.OBJECT) {
                    return;
                }
                element = type.getInternalName();
            }
            add(how, element, "", "");
        }

        private void addConstant(Object constant) {
            if (constant instanceof Handle handle) {
                add("reference", handle.getOwner(), handle.getName(), handle.getDesc());
            } else if (constant instanceof ConstantDynamic dynamic) {
                addConstant(dynamic.getBootstrapMethod());
                for (int i = 0; i < dynamic.getBootstrapMethodArgumentCount(); i++) {
                    addConstant(dynamic.getBootstrapMethodArgument(i));
                }
            } else if (constant instanceof Type type
                    && (type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY)) {
                addType("literal", type.getInternalName());
            }
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean isInterface) {
            add("call", owner, name, descriptor);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            boolean isRead = opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC;
            add(isRead ? "read" : "write", owner, name, descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(
                String name, String descriptor, Handle bootstrap, Object... arguments) {
            addConstant(bootstrap);
            Arrays.stream(arguments).forEach(this::addConstant);
        }

        @Override
        public void visitLdcInsn(Object value) {
            addConstant(value);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            addType(
                    switch (opcode) {
                        case Opcodes.NEW -> "new";
                        case Opcodes.ANEWARRAY -> "array";
                        case Opcodes.CHECKCAST -> "cast";
                        default -> "instanceof";
                    },
                    type);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            addType("array", descriptor);
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
            if (type != null) {
                addType("catch", type);
            }
        }
    }
}

package dev.patchbay.repl.kernel.code;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The structure of a compiled class: its declaration, and those of all its members, also of those
 * that are private or that the compiler made. What Java source would say, without the bodies.
 */
public final class ClassShape {
    private static final int MEMBERS_MAX = 1_000;

    /** Flags that say what a class is, or nothing to a reader. */
    private static final Set<AccessFlag> NOT_SHOWN =
            Set.of(
                    AccessFlag.SUPER,
                    AccessFlag.INTERFACE,
                    AccessFlag.ENUM,
                    AccessFlag.ANNOTATION,
                    AccessFlag.VARARGS,
                    AccessFlag.MANDATED);

    /**
     * A class as text.
     *
     * @param javaVersion the first Java release that can load it
     */
    public record Shape(
            String declaration,
            int javaVersion,
            int classFileBytes,
            List<String> fields,
            List<String> methods,
            int dropped) {}

    private ClassShape() {}

    public static Shape of(byte[] bytes) {
        ClassModel type = ClassFile.of().parse(bytes);
        List<String> fields = type.fields().stream().map(ClassShape::field).toList();
        List<String> methods = type.methods().stream().map(ClassShape::method).toList();
        int dropped =
                Math.max(0, fields.size() - MEMBERS_MAX)
                        + Math.max(0, methods.size() - MEMBERS_MAX);
        return new Shape(
                declaration(type),
                type.majorVersion() - 44,
                bytes.length,
                fields.stream().limit(MEMBERS_MAX).toList(),
                methods.stream().limit(MEMBERS_MAX).toList(),
                dropped);
    }

    private static String declaration(ClassModel type) {
        String kind = SubtypeFinder.kind(type);
        var words = new ArrayList<String>();
        words.addAll(flags(type.flags()));
        words.remove("abstract");
        words.add(kind.equals("annotation") ? "@interface" : kind);
        words.add(TypeNames.ofClass(type.thisClass().asInternalName()) + components(type));
        type.superclass()
                .map(it -> TypeNames.ofClass(it.asInternalName()))
                .filter(
                        it ->
                                !Set.of("java.lang.Object", "java.lang.Record", "java.lang.Enum")
                                        .contains(it))
                .ifPresent(it -> words.add("extends " + it));
        if (!type.interfaces().isEmpty()) {
            words.add(
                    type.interfaces().stream()
                            .map(it -> TypeNames.ofClass(it.asInternalName()))
                            .collect(
                                    Collectors.joining(
                                            ", ",
                                            kind.equals("interface") ? "extends " : "implements ",
                                            "")));
        }
        type.findAttribute(Attributes.permittedSubclasses())
                .ifPresent(
                        it ->
                                words.add(
                                        it.permittedSubclasses().stream()
                                                .map(one -> TypeNames.ofClass(one.asInternalName()))
                                                .collect(
                                                        Collectors.joining(", ", "permits ", ""))));
        return String.join(" ", words);
    }

    private static String components(ClassModel type) {
        return type.findAttribute(Attributes.record())
                .map(
                        it ->
                                it.components().stream()
                                        .map(ClassShape::component)
                                        .collect(Collectors.joining(", ", "(", ")")))
                .orElse("");
    }

    private static String component(RecordComponentInfo one) {
        return TypeNames.of(one.descriptorSymbol()) + " " + one.name().stringValue();
    }

    private static List<String> flags(AccessFlags flags) {
        return flags.flags().stream()
                .filter(flag -> !NOT_SHOWN.contains(flag))
                .map(flag -> flag.name().toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static String field(FieldModel field) {
        List<String> words = flags(field.flags());
        words.add(TypeNames.of(field.fieldTypeSymbol()));
        words.add(field.fieldName().stringValue());
        return String.join(" ", words);
    }

    private static String method(MethodModel method) {
        return method.findAttribute(Attributes.code())
                .map(code -> signature(method) + "  // " + code.codeLength() + " bytes")
                .orElse(signature(method));
    }

    /** A method in one line: flags, result, name, parameters, exceptions. */
    static String signature(MethodModel method) {
        List<String> words = flags(method.flags());
        String name = method.methodName().stringValue();
        var type = method.methodTypeSymbol();
        if (!name.equals("<init>") && !name.equals("<clinit>")) {
            words.add(TypeNames.of(type.returnType()));
        }
        words.add(name + TypeNames.parameters(type));
        method.findAttribute(Attributes.exceptions())
                .ifPresent(
                        it ->
                                words.add(
                                        it.exceptions().stream()
                                                .map(one -> TypeNames.of(one.asSymbol()))
                                                .collect(Collectors.joining(", ", "throws ", ""))));
        return String.join(" ", words);
    }
}

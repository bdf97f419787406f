import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Turns what the JVM would link at run time into plain code: the type switches of compiled classes,
 * and the equals and hashCode of records. An AOT cache holds neither, so that every start would
 * make them anew, each some milliseconds. What they mean stays as it is.
 */
final class PlainCode {
    private static final String SWITCHES = "Ljava/lang/runtime/SwitchBootstraps;";
    private static final String RECORDS = "Ljava/lang/runtime/ObjectMethods;";
    private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");

    private final ClassModel model;
    private final List<TypeSwitch> switches = new ArrayList<>();

    /** A type switch that has become a method of the class it stands in. */
    private record TypeSwitch(String method, MethodTypeDesc type, List<ClassDesc> labels) {}

    private PlainCode(ClassModel model) {
        this.model = model;
    }

    /** Rewrites the classes of the first folder; the others hold the classes that they use. */
    public static void main(String[] args) throws IOException {
        List<Path> folders = Stream.of(args).map(Path::of).toList();
        try (Stream<Path> files = Files.walk(folders.getFirst())) {
            for (Path file : files.filter(it -> it.toString().endsWith(".class")).toList()) {
                byte[] before = Files.readAllBytes(file);
                if (mentions(before, SWITCHES) || mentions(before, RECORDS)) {
                    Files.write(file, of(before, folders));
                }
            }
        }
    }

    private static boolean mentions(byte[] code, String descriptor) {
        String name = descriptor.substring(1, descriptor.length() - 1);
        return new String(code, java.nio.charset.StandardCharsets.ISO_8859_1).contains(name);
    }

    private static byte[] of(byte[] before, List<Path> folders) {
        var own =
                ClassHierarchyResolver.ofResourceParsing(type -> source(folders, type))
                        .orElse(ClassHierarchyResolver.defaultResolver());
        var file = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(own));
        var model = file.parse(before);
        var plain = new PlainCode(model);
        return file.transformClass(model, plain.transform());
    }

    private static InputStream source(List<Path> folders, ClassDesc type) {
        String descriptor = type.descriptorString();
        String name = descriptor.substring(1, descriptor.length() - 1) + ".class";
        try {
            for (Path folder : folders) {
                if (Files.exists(folder.resolve(name))) {
                    return Files.newInputStream(folder.resolve(name));
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClassTransform transform() {
        return new ClassTransform() {
            @Override
            public void accept(ClassBuilder target, ClassElement element) {
                if (element instanceof MethodModel method && isLinkedLate(method)) {
                    copy(target, method);
                } else {
                    target.with(element);
                }
            }

            @Override
            public void atEnd(ClassBuilder target) {
                switches.forEach(it -> define(target, it));
            }
        };
    }

    private static boolean isLinkedLate(MethodModel method) {
        return method.code().stream()
                .flatMap(CodeModel::elementStream)
                .anyMatch(InvokeDynamicInstruction.class::isInstance);
    }

    private void copy(ClassBuilder target, MethodModel method) {
        var ofRecord = recordCall(method.code().orElseThrow());
        target.transformMethod(
                method,
                (builder, element) -> {
                    if (!(element instanceof CodeModel code)) {
                        builder.with(element);
                    } else if (ofRecord.isPresent()) {
                        builder.withCode(body -> recordMethod(body, ofRecord.get()));
                    } else {
                        builder.transformCode(code, this::element);
                    }
                });
    }

    private void element(CodeBuilder target, CodeElement element) {
        if (element instanceof InvokeDynamicInstruction call && isTypeSwitch(call)) {
            var type = call.typeSymbol();
            var labels = call.bootstrapArgs().stream().map(ClassDesc.class::cast).toList();
            var found = new TypeSwitch("typeSwitch$" + switches.size(), type, labels);
            switches.add(found);
            target.invokestatic(model.thisClass().asSymbol(), found.method(), type, isInterface());
        } else {
            target.with(element);
        }
    }

    private boolean isInterface() {
        return model.flags().has(AccessFlag.INTERFACE);
    }

    private static boolean isTypeSwitch(InvokeDynamicInstruction call) {
        return call.bootstrapMethod().owner().descriptorString().equals(SWITCHES)
                && call.bootstrapMethod().methodName().equals("typeSwitch")
                && call.bootstrapArgs().stream().allMatch(PlainCode::isReferenceType);
    }

    private static boolean isReferenceType(ConstantDesc label) {
        return label instanceof ClassDesc type && !type.isPrimitive();
    }

    /** -1 for null, else the first label from the given one on that fits, else their number. */
    private void define(ClassBuilder target, TypeSwitch it) {
        int flags = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;
        target.withMethodBody(
                it.method(),
                it.type(),
                flags,
                code -> {
                    var notNull = code.newLabel();
                    code.aload(0).ifnonnull(notNull).iconst_m1().ireturn().labelBinding(notNull);
                    for (int i = 0; i < it.labels().size(); i++) {
                        var next = code.newLabel();
                        code.iload(1).loadConstant(i).if_icmpgt(next);
                        code.aload(0).instanceOf(it.labels().get(i)).ifeq(next);
                        code.loadConstant(i).ireturn().labelBinding(next);
                    }
                    code.loadConstant(it.labels().size()).ireturn();
                });
    }

    /** The call that is the whole of a record's own equals or hashCode. */
    private static Optional<InvokeDynamicInstruction> recordCall(CodeModel code) {
        return code.elementStream()
                .filter(InvokeDynamicInstruction.class::isInstance)
                .map(InvokeDynamicInstruction.class::cast)
                .filter(it -> it.bootstrapMethod().owner().descriptorString().equals(RECORDS))
                .filter(it -> !it.name().stringValue().equals("toString"))
                .findFirst();
    }

    private void recordMethod(CodeBuilder code, InvokeDynamicInstruction call) {
        var fields =
                call.bootstrapArgs().stream()
                        .skip(2)
                        .map(DirectMethodHandleDesc.class::cast)
                        .toList();
        if (call.name().stringValue().equals("equals")) {
            equality(code, fields);
        } else {
            hash(code, fields);
        }
    }

    private void equality(CodeBuilder code, List<DirectMethodHandleDesc> fields) {
        var self = model.thisClass().asSymbol();
        var different = code.newLabel();
        code.aload(1).instanceOf(self).ifeq(different);
        code.aload(1).checkcast(self).astore(2);
        for (var field : fields) {
            var type = field.invocationType().returnType();
            code.aload(0).getfield(self, field.methodName(), type);
            code.aload(2).getfield(self, field.methodName(), type);
            if (type.isPrimitive()) {
                var wrapper = wrapper(type);
                code.invokestatic(wrapper, "compare", MethodTypeDesc.of(CD_int, type, type));
                code.ifne(different);
            } else {
                var objects = MethodTypeDesc.of(CD_boolean, CD_Object, CD_Object);
                code.invokestatic(OBJECTS, "equals", objects).ifeq(different);
            }
        }
        code.iconst_1().ireturn().labelBinding(different).iconst_0().ireturn();
    }

    private void hash(CodeBuilder code, List<DirectMethodHandleDesc> fields) {
        var self = model.thisClass().asSymbol();
        code.iconst_0();
        for (var field : fields) {
            var type = field.invocationType().returnType();
            code.loadConstant(31).imul();
            code.aload(0).getfield(self, field.methodName(), type);
            if (type.isPrimitive()) {
                code.invokestatic(wrapper(type), "hashCode", MethodTypeDesc.of(CD_int, type));
            } else {
                code.invokestatic(OBJECTS, "hashCode", MethodTypeDesc.of(CD_int, CD_Object));
            }
            code.iadd();
        }
        code.ireturn();
    }

    private static ClassDesc wrapper(ClassDesc primitive) {
        return ClassDesc.of(
                switch (primitive.descriptorString()) {
                    case "Z" -> "java.lang.Boolean";
                    case "B" -> "java.lang.Byte";
                    case "C" -> "java.lang.Character";
                    case "S" -> "java.lang.Short";
                    case "I" -> "java.lang.Integer";
                    case "J" -> "java.lang.Long";
                    case "F" -> "java.lang.Float";
                    default -> "java.lang.Double";
                });
    }
}

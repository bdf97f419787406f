package dev.patchbay.repl.kernel;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.HashSet;
import java.util.Set;

/** Puts a call of {@link StopSignal#check} at the start of each method and each jump backwards. */
final class StopCheckInjector implements CodeTransform {
    private static final ClassDesc STOP_SIGNAL = ClassDesc.of(StopSignal.class.getName());

    private final Set<Label> passedLabels = new HashSet<>();

    private StopCheckInjector() {}

    /** The class with the checks; as it was where they cannot be put in. */
    static byte[] inject(byte[] bytes, ClassHierarchyResolver types) {
        try {
            var file = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(types));
            var checks =
                    ClassTransform.transformingMethodBodies(
                            CodeTransform.ofStateful(StopCheckInjector::new));
            return file.transformClass(file.parse(bytes), checks);
        } catch (IllegalArgumentException e) {
            // A loop in it can then be stopped only by ending the JVM, which the server does.
            return bytes;
        }
    }

    @Override
    public void atStart(CodeBuilder builder) {
        insertCheck(builder);
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
        if (element instanceof LabelTarget label) {
            passedLabels.add(label.label());
        } else if (element instanceof BranchInstruction branch
                && passedLabels.contains(branch.target())) {
            insertCheck(builder);
        }
        builder.with(element);
    }

    private static void insertCheck(CodeBuilder builder) {
        builder.invokestatic(STOP_SIGNAL, "check", ConstantDescs.MTD_void);
    }
}

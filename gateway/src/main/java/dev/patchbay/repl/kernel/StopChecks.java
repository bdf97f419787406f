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

/** Puts a call of {@link StopSwitch#check} at the start of each method and each jump backwards. */
final class StopChecks implements CodeTransform {
    private static final ClassDesc SWITCH = ClassDesc.of(StopSwitch.class.getName());

    private final Set<Label> passed = new HashSet<>();

    private StopChecks() {}

    /** The class with the checks; as it was where they cannot be put in. */
    static byte[] woven(byte[] bytes, ClassHierarchyResolver types) {
        try {
            var file = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(types));
            var checks =
                    ClassTransform.transformingMethodBodies(
                            CodeTransform.ofStateful(StopChecks::new));
            return file.transformClass(file.parse(bytes), checks);
        } catch (IllegalArgumentException e) {
            // A loop in it can then be stopped only by ending the JVM, which the server does.
            return bytes;
        }
    }

    @Override
    public void atStart(CodeBuilder builder) {
        check(builder);
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
        if (element instanceof LabelTarget label) {
            passed.add(label.label());
        } else if (element instanceof BranchInstruction branch
                && passed.contains(branch.target())) {
            check(builder);
        }
        builder.with(element);
    }

    private static void check(CodeBuilder builder) {
        builder.invokestatic(SWITCH, "check", ConstantDescs.MTD_void);
    }
}

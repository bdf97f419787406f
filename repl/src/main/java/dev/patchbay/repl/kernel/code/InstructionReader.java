package dev.patchbay.repl.kernel.code;

import java.lang.classfile.BootstrapMethodEntry;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;

/** Reads the instructions of a method and tells which members and types they refer to. */
final class InstructionReader {
    /** Bootstrap arguments may hold others, which may hold others. */
    private static final int DEPTH_MAX = 8;

    /** Hears of references. Lines are 0 where the class file has none. */
    interface ReferenceVisitor {
        void onMember(MemberRefEntry member, String how, int line);

        void onType(String internalName, String how, int line);
    }

    private final ReferenceVisitor visitor;
    private int line;

    InstructionReader(ReferenceVisitor visitor) {
        this.visitor = visitor;
    }

    void accept(CodeElement element) {
        switch (element) {
            case LineNumber number -> line = number.line();
            case InvokeInstruction call -> visitor.onMember(call.method(), "call", line);
            case FieldInstruction access -> {
                boolean isRead =
                        access.opcode() == Opcode.GETFIELD || access.opcode() == Opcode.GETSTATIC;
                visitor.onMember(access.field(), isRead ? "read" : "write", line);
            }
            case InvokeDynamicInstruction call ->
                    readBootstrap(call.invokedynamic().bootstrap(), 0);
            case LoadConstantInstruction load -> readConstant(load.constantEntry(), 0);
            case NewObjectInstruction created -> onType(created.className(), "new");
            case NewReferenceArrayInstruction created -> onType(created.componentType(), "array");
            case NewMultiArrayInstruction created -> onType(created.arrayType(), "array");
            case TypeCheckInstruction check ->
                    onType(
                            check.type(),
                            check.opcode() == Opcode.CHECKCAST ? "cast" : "instanceof");
            case ExceptionCatch caught ->
                    caught.catchType().ifPresent(type -> onType(type, "catch"));
            default -> {}
        }
    }

    private void readBootstrap(BootstrapMethodEntry bootstrap, int depth) {
        readConstant(bootstrap.bootstrapMethod(), depth + 1);
        bootstrap.arguments().forEach(argument -> readConstant(argument, depth + 1));
    }

    private void readConstant(LoadableConstantEntry constant, int depth) {
        if (depth > DEPTH_MAX) {
            return;
        }
        switch (constant) {
            case ClassEntry type -> onType(type, "literal");
            case MethodHandleEntry handle ->
                    visitor.onMember(handle.reference(), "reference", line);
            case ConstantDynamicEntry dynamic -> readBootstrap(dynamic.bootstrap(), depth);
            default -> {}
        }
    }

    private void onType(ClassEntry type, String how) {
        String name = type.asInternalName();
        if (!name.startsWith("[")) {
            visitor.onType(name, how, line);
        } else if (name.endsWith(";")) {
            visitor.onType(name.substring(name.indexOf('L') + 1, name.length() - 1), how, line);
        }
    }
}

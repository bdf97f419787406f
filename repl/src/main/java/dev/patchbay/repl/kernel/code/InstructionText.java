package dev.patchbay.repl.kernel.code;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One instruction as text: its name, and what it works on. */
final class InstructionText {
    private static final int STRING_CHARS_MAX = 120;

    private final Disassembler.LabelNames labels;

    InstructionText(Disassembler.LabelNames labels) {
        this.labels = labels;
    }

    /** The labels that an element may lead to. */
    static List<Label> targets(CodeElement element) {
        return switch (element) {
            case BranchInstruction jump -> List.of(jump.target());
            case ExceptionCatch caught ->
                    List.of(caught.tryStart(), caught.tryEnd(), caught.handler());
            case LookupSwitchInstruction choice -> targets(choice.defaultTarget(), choice.cases());
            case TableSwitchInstruction choice -> targets(choice.defaultTarget(), choice.cases());
            default -> List.of();
        };
    }

    private static List<Label> targets(Label otherwise, List<SwitchCase> cases) {
        var all = new ArrayList<>(List.of(otherwise));
        cases.forEach(one -> all.add(one.target()));
        return all;
    }

    String of(Instruction instruction) {
        String name = instruction.opcode().name().toLowerCase(Locale.ROOT);
        String operand = operand(instruction);
        return operand.isEmpty() ? name : name + " " + operand;
    }

    private String operand(Instruction instruction) {
        return switch (instruction) {
            case InvokeInstruction call -> member(call.method());
            case FieldInstruction access -> member(access.field());
            case InvokeDynamicInstruction call -> dynamic(call);
            case ConstantInstruction.LoadConstantInstruction load -> constant(load.constantEntry());
            case ConstantInstruction.ArgumentConstantInstruction load ->
                    String.valueOf(load.constantValue());
            case LoadInstruction load -> String.valueOf(load.slot());
            case StoreInstruction store -> String.valueOf(store.slot());
            case IncrementInstruction add -> add.slot() + " by " + add.constant();
            case BranchInstruction jump -> labels.of(jump.target());
            case LookupSwitchInstruction choice -> cases(choice.defaultTarget(), choice.cases());
            case TableSwitchInstruction choice -> cases(choice.defaultTarget(), choice.cases());
            case NewObjectInstruction made -> type(made.className());
            case NewReferenceArrayInstruction made -> type(made.componentType());
            case NewMultiArrayInstruction made -> type(made.arrayType());
            case NewPrimitiveArrayInstruction made ->
                    made.typeKind().name().toLowerCase(Locale.ROOT);
            case TypeCheckInstruction check -> type(check.type());
            default -> "";
        };
    }

    private String cases(Label otherwise, List<SwitchCase> cases) {
        return cases.stream()
                .map(one -> one.caseValue() + " -> " + labels.of(one.target()))
                .collect(Collectors.joining(", ", "", ", default -> " + labels.of(otherwise)));
    }

    private static String type(ClassEntry type) {
        return TypeNames.of(type.asSymbol());
    }

    private static String member(MemberRefEntry member) {
        String descriptor = member.type().stringValue();
        String owner = type(member.owner());
        String name = member.name().stringValue();
        if (descriptor.startsWith("(")) {
            var type = MethodTypeDesc.ofDescriptor(descriptor);
            String result = TypeNames.of(type.returnType());
            return owner + "." + name + TypeNames.parameters(type) + " : " + result;
        }
        return owner + "." + name + " : " + TypeNames.of(ClassDesc.ofDescriptor(descriptor));
    }

    private static String dynamic(InvokeDynamicInstruction call) {
        String made = TypeNames.of(call.typeSymbol().returnType());
        var bootstrap = call.invokedynamic().bootstrap();
        String handles =
                bootstrap.arguments().stream()
                        .filter(it -> it instanceof MethodHandleEntry)
                        .map(it -> member(((MethodHandleEntry) it).reference()))
                        .collect(Collectors.joining(", "));
        String by = member(bootstrap.bootstrapMethod().reference()).replaceAll("\\(.*", "");
        return "%s%s : %s by %s%s"
                .formatted(
                        call.name().stringValue(),
                        TypeNames.parameters(call.typeSymbol()),
                        made,
                        by,
                        handles.isEmpty() ? "" : " with " + handles);
    }

    private static String constant(LoadableConstantEntry entry) {
        return switch (entry) {
            case StringEntry text -> quoted(text.stringValue());
            case ClassEntry type -> type(type) + ".class";
            case MethodHandleEntry handle -> member(handle.reference());
            default -> String.valueOf(entry.constantValue());
        };
    }

    private static String quoted(String text) {
        String shown =
                text.length() > STRING_CHARS_MAX ? text.substring(0, STRING_CHARS_MAX) + "…" : text;
        return "\"" + shown.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"") + "\"";
    }
}

package dev.patchbay.repl.kernel.code;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bytecode of methods as text: one instruction a line, with lines, names and targets. */
public final class Disassembler {
    private static final int INSTRUCTIONS_MAX = 5_000;

    /**
     * A method as text.
     *
     * @param maxStack the depth of its operand stack; 0 if it has no code
     * @param dropped how many instructions are not shown
     */
    public record MethodText(
            String signature,
            int codeBytes,
            int maxStack,
            int maxLocals,
            List<String> lines,
            int dropped) {}

    /** The class whose calls are left out, because the session put them there. */
    private final @Nullable String injected;

    /**
     * Leaves out the calls of a class.
     *
     * @param injected its internal name; null to leave out nothing
     */
    public Disassembler(@Nullable String injected) {
        this.injected = injected;
    }

    /** The methods of a class that a target means. */
    public List<MethodText> disassemble(byte[] bytes, ReferenceTarget target) {
        var texts = new ArrayList<MethodText>();
        ClassModel type = ClassFile.of().parse(bytes);
        for (MethodModel method : type.methods()) {
            if (target.fits(method.methodName().stringValue(), method.methodType().stringValue())) {
                texts.add(disassemble(method));
            }
        }
        return texts;
    }

    private MethodText disassemble(MethodModel method) {
        String signature = ClassShape.signature(method);
        var code = method.findAttribute(Attributes.code()).orElse(null);
        if (code == null) {
            return new MethodText(signature, 0, 0, 0, List.of(), 0);
        }
        var lines = new ArrayList<String>();
        int dropped = 0;
        var labels = new LabelNames(code);
        var text = new InstructionText(labels);
        int offset = 0;
        for (CodeElement element : code) {
            String line = isInjected(element) ? null : line(element, offset, labels, text);
            if (line != null && lines.size() < INSTRUCTIONS_MAX) {
                lines.add(line);
            } else if (line != null) {
                dropped++;
            }
            offset += element instanceof Instruction it ? it.sizeInBytes() : 0;
        }
        return new MethodText(
                signature, code.codeLength(), code.maxStack(), code.maxLocals(), lines, dropped);
    }

    private boolean isInjected(CodeElement element) {
        return element instanceof InvokeInstruction call
                && call.owner().asInternalName().equals(injected);
    }

    private static @Nullable String line(
            CodeElement element, int offset, LabelNames labels, InstructionText text) {
        return switch (element) {
            case LineNumber number -> "  // line " + number.line();
            case LabelTarget target ->
                    labels.isUsed(target) ? labels.of(target.label()) + ":" : null;
            case ExceptionCatch caught ->
                    "  // catch %s from %s to %s at %s"
                            .formatted(
                                    caught.catchType()
                                            .map(it -> TypeNames.ofClass(it.asInternalName()))
                                            .orElse("anything"),
                                    labels.of(caught.tryStart()),
                                    labels.of(caught.tryEnd()),
                                    labels.of(caught.handler()));
            case Instruction instruction -> pad(offset) + text.of(instruction);
            default -> null;
        };
    }

    private static String pad(int offset) {
        return "%6d  ".formatted(offset);
    }

    /** The names of labels: those that something jumps to, in order. */
    static final class LabelNames {
        private final Map<Integer, String> names = new HashMap<>();
        private final CodeAttribute code;

        LabelNames(CodeModel model) {
            this.code = (CodeAttribute) model;
            for (CodeElement element : model) {
                InstructionText.targets(element)
                        .forEach(label -> names.putIfAbsent(code.labelToBci(label), ""));
            }
            int[] next = {1};
            names.keySet().stream()
                    .sorted()
                    .toList()
                    .forEach(offset -> names.put(offset, "L" + next[0]++));
        }

        boolean isUsed(LabelTarget target) {
            return names.containsKey(code.labelToBci(target.label()));
        }

        String of(java.lang.classfile.Label label) {
            return names.getOrDefault(code.labelToBci(label), "?");
        }
    }
}

package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.code.ClassShape;
import dev.patchbay.repl.kernel.code.Disassembler.MethodText;

import java.util.List;

/** Compiled classes and methods as text, in the structured result of a tool. */
final class CodeTextWriter {
    private CodeTextWriter() {}

    static JsonWriter writeMethods(List<MethodText> methods, JsonWriter answer) {
        answer.member("kind", "method").name("methods").beginArray();
        for (MethodText method : methods) {
            answer.beginObject().member("signature", method.signature());
            answer.member("codeBytes", method.codeBytes());
            answer.member("maxStack", method.maxStack()).member("maxLocals", method.maxLocals());
            CodeQueries.writeStrings("instructions", method.lines(), answer);
            answer.member("omitted", method.dropped()).endObject();
        }
        return answer.endArray().endObject();
    }

    static JsonWriter writeShape(ClassShape.Shape shape, JsonWriter answer) {
        answer.member("kind", "class").member("declaration", shape.declaration());
        answer.member("javaVersion", shape.javaVersion());
        answer.member("classFileBytes", shape.classFileBytes());
        CodeQueries.writeStrings("fields", shape.fields(), answer);
        CodeQueries.writeStrings("declaredMethods", shape.methods(), answer);
        return answer.member("omitted", shape.dropped()).endObject();
    }
}

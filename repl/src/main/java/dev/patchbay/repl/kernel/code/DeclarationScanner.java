package dev.patchbay.repl.kernel.code;

import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;

/** Finds the uses of a class in declarations: supertypes, signatures, annotations. */
final class DeclarationScanner {
    /** Hears of a use in a member; the class itself has an empty name. */
    interface DeclarationVisitor {
        void onUse(String member, String descriptor, String how);
    }

    private final String wanted;
    private final DeclarationVisitor visitor;

    DeclarationScanner(String internalName, DeclarationVisitor visitor) {
        this.wanted = internalName;
        this.visitor = visitor;
    }

    void scan(ClassModel type) {
        type.superclass()
                .filter(it -> it.asInternalName().equals(wanted))
                .ifPresent(_ -> visitor.onUse("", "", "extends"));
        type.interfaces().stream()
                .filter(it -> it.asInternalName().equals(wanted))
                .forEach(_ -> visitor.onUse("", "", "implements"));
        scanAnnotations(type, "", "");
        for (FieldModel field : type.fields()) {
            scanMember(field.fieldName().stringValue(), field.fieldType().stringValue());
            scanAnnotations(
                    field, field.fieldName().stringValue(), field.fieldType().stringValue());
        }
        for (MethodModel method : type.methods()) {
            String name = method.methodName().stringValue();
            String descriptor = method.methodType().stringValue();
            scanMember(name, descriptor);
            scanAnnotations(method, name, descriptor);
            method.findAttribute(Attributes.exceptions()).stream()
                    .flatMap(it -> it.exceptions().stream())
                    .filter(it -> it.asInternalName().equals(wanted))
                    .forEach(_ -> visitor.onUse(name, descriptor, "throws"));
        }
    }

    private void scanMember(String name, String descriptor) {
        String type = "L" + wanted + ";";
        for (int at = descriptor.indexOf(type); at >= 0; at = descriptor.indexOf(type, at + 1)) {
            // The L of a descriptor, not one at the end of a package's or class's name.
            if (at == 0 || "(;[)BCDFIJSZ".indexOf(descriptor.charAt(at - 1)) >= 0) {
                visitor.onUse(name, descriptor, "signature");
            }
        }
    }

    private void scanAnnotations(AttributedElement element, String name, String descriptor) {
        element.findAttribute(Attributes.runtimeVisibleAnnotations())
                .ifPresent(it -> it.annotations().forEach(one -> scan(one, name, descriptor)));
        element.findAttribute(Attributes.runtimeInvisibleAnnotations())
                .ifPresent(it -> it.annotations().forEach(one -> scan(one, name, descriptor)));
    }

    private void scan(Annotation annotation, String name, String descriptor) {
        if (annotation.className().stringValue().equals("L" + wanted + ";")) {
            visitor.onUse(name, descriptor, "annotation");
        }
    }
}

package dev.patchbay.repl.kernel.profile;

import dev.patchbay.repl.kernel.code.TypeNames;

import java.lang.constant.ClassDesc;

/** Names of classes as the JVM tells them, as a reader of Java writes them. */
final class ClassNames {
    private ClassNames() {}

    /** A class, or an array such as {@code [Ljava.lang.String;}, without its module. */
    static String readable(String name) {
        String plain = name.replaceAll(" \\(.*\\)", "").strip();
        if (!plain.startsWith("[")) {
            return TypeNames.ofBinaryName(plain);
        }
        try {
            return TypeNames.of(ClassDesc.ofDescriptor(plain.replace('.', '/')));
        } catch (IllegalArgumentException e) {
            return plain;
        }
    }
}

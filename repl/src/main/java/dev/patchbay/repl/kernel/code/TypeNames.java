package dev.patchbay.repl.kernel.code;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names of types in class files, as a reader of Java writes them. */
public final class TypeNames {
    /** The class that JShell puts around a snippet. */
    private static final Pattern WRAPPER = Pattern.compile("REPL\\.\\$JShell\\$(\\d+)\\w*");

    private TypeNames() {}

    /** The name of a class by its internal name, without what JShell puts around it. */
    public static String ofClass(String internalName) {
        return ofBinaryName(internalName.replace('/', '.'));
    }

    /** The name of a class by its binary name; a snippet by its number. */
    public static String ofBinaryName(String name) {
        var wrapper = WRAPPER.matcher(name);
        if (wrapper.lookingAt()) {
            String rest = name.substring(wrapper.end());
            return rest.isEmpty()
                    ? "snippet " + wrapper.group(1)
                    : rest.substring(1).replace('$', '.');
        }
        return name.replace('$', '.');
    }

    /** Whether a class is one that JShell put around a snippet. */
    public static boolean isSnippet(String binaryName) {
        return WRAPPER.matcher(binaryName.replace('/', '.')).matches();
    }

    /** A type, with its package unless it is of java.lang. */
    public static String of(ClassDesc type) {
        if (type.isArray()) {
            return of(type.componentType()) + "[]";
        }
        if (type.isPrimitive()) {
            return type.displayName();
        }
        String descriptor = type.descriptorString();
        String name = ofClass(descriptor.substring(1, descriptor.length() - 1));
        return name.startsWith("java.lang.") && name.indexOf('.', 10) < 0
                ? name.substring(10)
                : name;
    }

    /** The parameters of a method, in parentheses. */
    public static String parameters(MethodTypeDesc type) {
        return type.parameterList().stream()
                .map(TypeNames::of)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    /** Whether these are the names of the parameters' types, simple or full. */
    static boolean parametersFit(String descriptor, List<String> names) {
        List<ClassDesc> types = MethodTypeDesc.ofDescriptor(descriptor).parameterList();
        if (types.size() != names.size()) {
            return false;
        }
        for (int i = 0; i < names.size(); i++) {
            if (!fits(types.get(i), names.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a name, simple or full, is that of the type. */
    static boolean fits(ClassDesc type, String name) {
        String full = of(type);
        String wanted = name.strip().replace("...", "[]");
        return full.equals(wanted)
                || full.endsWith("." + wanted)
                || ("java.lang." + full).equals(wanted);
    }
}

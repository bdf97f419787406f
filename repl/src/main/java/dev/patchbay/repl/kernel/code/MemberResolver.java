package dev.patchbay.repl.kernel.code;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the class in which a reference to a member ends, by the rules of the Java Virtual Machine
 * Specification, 5.4.3: a call of {@code ArrayList.stream} is one of {@code Collection.stream}.
 */
final class MemberResolver {
    private static final int HEADERS_MAX = 100_000;
    private static final String OBJECT = "java/lang/Object";

    /** What JVMS 2.9.3 calls signature polymorphic: any descriptor means the one method. */
    private static final Set<String> POLYMORPHIC =
            Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

    /** What matters of a class here. */
    private record Header(
            @Nullable String superclass,
            List<String> interfaces,
            Set<String> fields,
            Set<String> methods,
            Set<String> hidden) {
        boolean declares(String name, String descriptor) {
            return descriptor.startsWith("(")
                    ? methods.contains(name + descriptor)
                    : fields.contains(name + " " + descriptor);
        }
    }

    private final ClassFileCatalog catalog;
    private final Map<String, Optional<Header>> headers = new HashMap<>();

    MemberResolver(ClassFileCatalog catalog) {
        this.catalog = catalog;
    }

    /** The internal name of the class that declares the member; null if it cannot be found. */
    @Nullable String resolve(String owner, String name, String descriptor) {
        String start = owner.startsWith("[") ? OBJECT : owner;
        if (POLYMORPHIC.contains(start) && declaresAny(start, name)) {
            return start;
        }
        boolean isField = !descriptor.startsWith("(");
        return isField
                ? resolveField(start, name, descriptor)
                : resolveMethod(start, name, descriptor);
    }

    private boolean declaresAny(String owner, String name) {
        return header(owner)
                .map(it -> it.methods().stream().anyMatch(one -> one.startsWith(name + "(")))
                .orElse(false);
    }

    /** Interfaces stand before the superclass. */
    private @Nullable String resolveField(String owner, String name, String descriptor) {
        Header header = header(owner).orElse(null);
        if (header == null) {
            return null;
        }
        if (header.declares(name, descriptor)) {
            return owner;
        }
        for (String one : header.interfaces()) {
            String found = resolveField(one, name, descriptor);
            if (found != null) {
                return found;
            }
        }
        return header.superclass() == null
                ? null
                : resolveField(header.superclass(), name, descriptor);
    }

    private @Nullable String resolveMethod(String owner, String name, String descriptor) {
        var interfaces = new LinkedHashSet<String>();
        String next = owner;
        while (next != null) {
            Header header = header(next).orElse(null);
            if (header == null) {
                return null;
            }
            if (header.declares(name, descriptor)) {
                return next;
            }
            header.interfaces().forEach(one -> addInterfaces(one, interfaces));
            next = header.superclass();
        }
        return mostSpecific(interfaces, name, descriptor);
    }

    private void addInterfaces(String name, Set<String> target) {
        if (target.add(name)) {
            header(name)
                    .ifPresent(it -> it.interfaces().forEach(one -> addInterfaces(one, target)));
        }
    }

    private @Nullable String mostSpecific(Set<String> interfaces, String name, String descriptor) {
        var candidates = new ArrayList<String>();
        for (String one : interfaces) {
            Header header = header(one).orElse(null);
            if (header != null
                    && header.declares(name, descriptor)
                    && !header.hidden().contains(name + descriptor)) {
                candidates.add(one);
            }
        }
        for (String one : candidates) {
            boolean isOverridden =
                    candidates.stream().anyMatch(it -> !it.equals(one) && extendsType(it, one));
            if (!isOverridden) {
                return one;
            }
        }
        return null;
    }

    private boolean extendsType(String name, String other) {
        var all = new LinkedHashSet<String>();
        addInterfaces(name, all);
        return all.contains(other);
    }

    private Optional<Header> header(String name) {
        Optional<Header> known = headers.get(name);
        if (known == null) {
            byte[] bytes = catalog.find(name);
            known = bytes == null ? Optional.empty() : parse(bytes);
            if (headers.size() < HEADERS_MAX) {
                headers.put(name, known);
            }
        }
        return known;
    }

    private static Optional<Header> parse(byte[] bytes) {
        try {
            return Optional.of(header(ClassFile.of().parse(bytes)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Header header(ClassModel type) {
        var fields = new LinkedHashSet<String>();
        type.fields()
                .forEach(
                        it ->
                                fields.add(
                                        it.fieldName().stringValue()
                                                + " "
                                                + it.fieldType().stringValue()));
        var methods = new LinkedHashSet<String>();
        var hidden = new LinkedHashSet<String>();
        for (var method : type.methods()) {
            String key = method.methodName().stringValue() + method.methodType().stringValue();
            methods.add(key);
            if (method.flags().has(AccessFlag.PRIVATE) || method.flags().has(AccessFlag.STATIC)) {
                hidden.add(key);
            }
        }
        return new Header(
                type.superclass().map(it -> it.asInternalName()).orElse(null),
                type.interfaces().stream().map(it -> it.asInternalName()).toList(),
                fields,
                methods,
                hidden);
    }
}

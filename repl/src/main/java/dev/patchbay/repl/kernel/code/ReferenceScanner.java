package dev.patchbay.repl.kernel.code;

import dev.patchbay.repl.kernel.code.ReferenceTarget.Kind;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Finds the uses of a class, method or field in class files. A reference to a member counts if it
 * ends at that member, also where it names a subclass that inherits it.
 */
public final class ReferenceScanner {
    private static final int USES_MAX = 50_000;
    private static final int UNRESOLVED_MAX = 20;

    /**
     * The uses of the target in one place.
     *
     * @param owner the internal name of the class that uses it
     * @param member the method or field in which it is used; empty for the class itself
     * @param descriptor of that member
     * @param how what is done with it: call, reference, read, write, new, cast, and so on
     */
    public record Use(String owner, String member, String descriptor, String how, String origin) {}

    /**
     * What was found.
     *
     * @param counts how often each use occurs
     * @param lines the first line of a use, where the class file has lines
     * @param unresolved classes in references that may be meant but are not there to be read
     * @param dropped uses that were not kept, because there were too many
     */
    public record Result(
            Map<Use, Integer> counts,
            Map<Use, Integer> lines,
            Set<String> unresolved,
            int dropped,
            ClassFileCatalog.WalkResult walk) {}

    private final ReferenceTarget target;
    private final MemberResolver resolver;
    private final Map<Use, Integer> counts = new LinkedHashMap<>();
    private final Map<Use, Integer> lines = new LinkedHashMap<>();
    private final Set<String> unresolved = new TreeSet<>();
    private int dropped;

    private ReferenceScanner(ReferenceTarget target, ClassFileCatalog catalog) {
        this.target = target;
        this.resolver = new MemberResolver(catalog);
    }

    /** Scans the class files of a scope, until it is told to stop. */
    public static Result scan(
            ReferenceTarget target,
            ClassFileCatalog catalog,
            ClassFileCatalog.Scope scope,
            BooleanSupplier stop) {
        var scanner = new ReferenceScanner(target, catalog);
        var walk = catalog.walk(scope, stop, scanner::visit);
        return new Result(scanner.counts, scanner.lines, scanner.unresolved, scanner.dropped, walk);
    }

    private void visit(byte[] bytes, String origin) {
        ClassModel type = ClassFile.of().parse(bytes);
        if (!mayUse(type)) {
            return;
        }
        String name = type.thisClass().asInternalName();
        if (target.kind() == Kind.CLASS) {
            new DeclarationScanner(
                            target.owner(),
                            (member, descriptor, how) ->
                                    add(new Use(name, member, descriptor, how, origin), 0))
                    .scan(type);
        }
        for (MethodModel method : type.methods()) {
            CodeModel code = method.findAttribute(Attributes.code()).orElse(null);
            if (code != null) {
                scan(code, name, method, origin);
            }
        }
    }

    /** Most classes can be told to be none from their constants alone. */
    private boolean mayUse(ClassModel type) {
        for (PoolEntry entry : type.constantPool()) {
            boolean fits =
                    switch (entry) {
                        case MemberRefEntry member when target.kind() != Kind.CLASS ->
                                target.fits(
                                        member.name().stringValue(), member.type().stringValue());
                        case Utf8Entry text when target.kind() == Kind.CLASS ->
                                text.stringValue().contains(target.owner());
                        default -> false;
                    };
            if (fits) {
                return true;
            }
        }
        return false;
    }

    private void scan(CodeModel code, String owner, MethodModel method, String origin) {
        String name = method.methodName().stringValue();
        String descriptor = method.methodType().stringValue();
        var reader =
                new InstructionReader(
                        new InstructionReader.ReferenceVisitor() {
                            @Override
                            public void onMember(MemberRefEntry member, String how, int line) {
                                if (isMeant(member)) {
                                    add(new Use(owner, name, descriptor, how, origin), line);
                                }
                            }

                            @Override
                            public void onType(String type, String how, int line) {
                                if (target.kind() == Kind.CLASS && type.equals(target.owner())) {
                                    add(new Use(owner, name, descriptor, how, origin), line);
                                }
                            }
                        });
        code.forEach(reader::accept);
    }

    private boolean isMeant(MemberRefEntry member) {
        String owner = member.owner().asInternalName();
        if (target.kind() == Kind.CLASS) {
            return owner.equals(target.owner());
        }
        String name = member.name().stringValue();
        String descriptor = member.type().stringValue();
        if (!target.fits(name, descriptor)) {
            return false;
        }
        String declaring = resolver.resolve(owner, name, descriptor);
        if (declaring == null) {
            if (unresolved.size() < UNRESOLVED_MAX) {
                unresolved.add(TypeNames.ofClass(owner));
            }
            return owner.equals(target.owner());
        }
        return declaring.equals(target.owner());
    }

    private void add(Use use, int line) {
        if (counts.size() >= USES_MAX && !counts.containsKey(use)) {
            dropped++;
            return;
        }
        counts.merge(use, 1, Integer::sum);
        if (line > 0) {
            lines.putIfAbsent(use, line);
        }
    }

    /** Whether a class has such a member, declared or inherited. */
    public static boolean exists(ReferenceTarget asked, ClassFileCatalog catalog) {
        return !MemberDescriptors.of(asked, catalog).isEmpty();
    }

    /** The class that declares what a target names; the target itself if none is found. */
    public static ReferenceTarget declared(ReferenceTarget asked, ClassFileCatalog catalog) {
        String member = asked.member();
        if (member == null) {
            return asked;
        }
        var resolver = new MemberResolver(catalog);
        for (String descriptor : MemberDescriptors.of(asked, catalog)) {
            String owner = resolver.resolve(asked.owner(), member, descriptor);
            if (owner != null) {
                return new ReferenceTarget(asked.kind(), owner, member, asked.parameters());
            }
        }
        return asked;
    }

    /** The places with the most uses first. */
    public static List<Map.Entry<Use, Integer>> sorted(Result result) {
        return result.counts().entrySet().stream()
                .sorted(Map.Entry.<Use, Integer>comparingByValue().reversed())
                .toList();
    }
}

package dev.patchbay.repl.kernel.code;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;

import dev.patchbay.repl.kernel.code.ClassFileCatalog.Scope;
import dev.patchbay.repl.kernel.code.ReferenceTarget.Kind;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The uses that are found are those that ASM finds, in the JDK and three libraries. The long form
 * reads all modules of the JDK and asks for many more members.
 */
class ReferenceScannerTest {
    private static final boolean LONG = Boolean.getBoolean("patchbay.long");
    private static final int MEMBERS = LONG ? 300 : 6;
    private static final long SEED = 20261118;

    private static final Map<String, byte[]> CLASSES = new HashMap<>();
    private static final AsmReferences EXPECTED = new AsmReferences();
    private static ClassFileCatalog catalog = new ClassFileCatalog(Map.of(), List.of(), it -> null);

    @BeforeAll
    static void readClasses() throws Exception {
        var all = new ClassFileCatalog(Map.of(), libraries(), it -> null);
        Set<String> modules = Set.of("module java.base", "module java.logging");
        all.walk(
                Scope.ALL,
                () -> false,
                (bytes, origin) -> {
                    if (LONG || !origin.startsWith("module ") || modules.contains(origin)) {
                        String name = ClassFile.of().parse(bytes).thisClass().asInternalName();
                        if (CLASSES.putIfAbsent(name, bytes) == null) {
                            EXPECTED.read(bytes);
                        }
                    }
                });
        catalog =
                new ClassFileCatalog(
                        CLASSES,
                        List.of(),
                        name -> {
                            byte[] bytes = CLASSES.get(name);
                            return bytes == null ? null : new ByteArrayInputStream(bytes);
                        });
    }

    private static List<String> libraries() throws Exception {
        var jars = new java.util.ArrayList<String>();
        for (Class<?> type : List.of(Assertions.class, JavaClass.class, Test.class)) {
            jars.add(
                    Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                            .toString());
        }
        return jars;
    }

    private static Map<String, Integer> found(ReferenceTarget target) throws IOException {
        var result = ReferenceScanner.scan(target, catalog, Scope.SESSION, () -> false);
        assertThat(result.walk().isStopped()).isFalse();
        assertThat(result.walk().problems()).isEmpty();
        assertThat(result.dropped()).isZero();
        var found = new TreeMap<String, Integer>();
        result.counts()
                .forEach(
                        (use, count) ->
                                found.put(
                                        use.owner()
                                                + "."
                                                + use.member()
                                                + use.descriptor()
                                                + " "
                                                + use.how(),
                                        count));
        return found;
    }

    private static ReferenceTarget target(String owner, String name, String descriptor) {
        boolean isMethod = descriptor.startsWith("(");
        return new ReferenceTarget(
                isMethod ? Kind.METHOD : Kind.FIELD,
                owner,
                name,
                isMethod
                        ? MethodTypeDesc.ofDescriptor(descriptor).parameterList().stream()
                                .map(TypeNames::of)
                                .toList()
                        : null);
    }

    private static void compare(String owner, String name, String descriptor) throws Exception {
        assertThat(found(target(owner, name, descriptor)))
                .as("%s.%s%s", owner, name, descriptor)
                .isEqualTo(EXPECTED.uses(owner, name, descriptor));
    }

    @Test
    void findsTheUsesOfMembersThatAsmFinds() throws Exception {
        List<String> used =
                EXPECTED.usedMembers().stream()
                        // Two methods of one class may differ in the result alone.
                        .filter(it -> !it.contains(" lambda$") && !it.contains("/invoke/"))
                        .toList();
        assertThat(used).hasSizeGreaterThan(50_000);
        var random = new Random(SEED);
        for (int i = 0; i < MEMBERS; i++) {
            String[] parts = used.get(random.nextInt(used.size())).split(" ", -1);
            Map<String, Integer> expected = allResults(parts, used);
            assertThat(found(target(parts[0], parts[1], parts[2])))
                    .as(String.join(".", parts))
                    .isEqualTo(expected);
        }
    }

    /** The uses of a member with these parameters, whatever it returns. */
    private static Map<String, Integer> allResults(String[] parts, List<String> used) {
        String parameters = parts[2].replaceAll("\\).*", ")");
        var all = new TreeMap<String, Integer>();
        for (String other : used) {
            String[] one = other.split(" ", -1);
            if (one[0].equals(parts[0])
                    && one[1].equals(parts[1])
                    && one[2].replaceAll("\\).*", ")").equals(parameters)) {
                EXPECTED.uses(one[0], one[1], one[2])
                        .forEach((place, count) -> all.merge(place, count, Integer::sum));
            }
        }
        return all;
    }

    @Test
    void countsCallsThroughSubclasses() throws Exception {
        compare("java/util/Collection", "stream", "()Ljava/util/stream/Stream;");
        compare("java/lang/String", "isEmpty", "()Z");
        compare("java/lang/Object", "getClass", "()Ljava/lang/Class;");
        assertThat(EXPECTED.uses("java/lang/String", "isEmpty", "()Z")).hasSizeGreaterThan(100);
    }

    @Test
    void findsTheInstructionsThatNameAClass() throws Exception {
        for (String owner : List.of("java/util/ArrayList", "java/io/IOException")) {
            Map<String, Integer> found = found(new ReferenceTarget(Kind.CLASS, owner, null, null));
            found.keySet()
                    .removeIf(
                            place ->
                                    Set.of(
                                                    "call",
                                                    "reference",
                                                    "read",
                                                    "write",
                                                    "signature",
                                                    "throws",
                                                    "extends",
                                                    "implements",
                                                    "annotation")
                                            .contains(place.substring(place.indexOf(' ') + 1)));
            assertThat(found).isEqualTo(EXPECTED.usesOfClass(owner)).isNotEmpty();
        }
    }

    @Test
    void stopsWhenToldTo() {
        var asked = new int[1];
        var result =
                ReferenceScanner.scan(
                        target("java/lang/String", "length", "()I"),
                        catalog,
                        Scope.SESSION,
                        () -> asked[0]++ >= 10);
        assertThat(result.walk().isStopped()).isTrue();
        assertThat(result.walk().visited()).isEqualTo(10);
    }
}

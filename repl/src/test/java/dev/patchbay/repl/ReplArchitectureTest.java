package dev.patchbay.repl;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import java.io.FileDescriptor;
import java.nio.file.Path;
import java.util.Set;

/** What the REPL and its kernel may use of the gateway and of the JDK. */
class ReplArchitectureTest {
    private static final String REPL = "dev.patchbay.repl";

    /** A session is a program of its own, in a process of its own. */
    private static final String KERNEL = REPL + ".kernel";

    private static final Set<String> USED_BY_REPL =
            Set.of("clients", "files", "json", "jsonrpc", "mcp", "repl", "stdio", "text");

    private static final Set<String> USED_BY_KERNEL = Set.of("json");

    private static final JavaClasses CLASSES =
            new ClassFileImporter().importPath(Path.of("target", "classes"));

    /** The packages of Patchbay that the classes of a package use. */
    private static Set<String> used(String name) {
        return CLASSES.stream()
                .filter(type -> type.getPackageName().equals(name))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getPackageName())
                .filter(target -> target.startsWith("dev.patchbay.") && !target.startsWith(name))
                .map(target -> target.split("\\.", -1)[2])
                .collect(java.util.stream.Collectors.toSet());
    }

    @Test
    void usesOnlyAllowedPackages() {
        assertThat(CLASSES).isNotEmpty();
        assertThat(used(REPL)).isSubsetOf(USED_BY_REPL);
        assertThat(used(KERNEL)).isSubsetOf(USED_BY_KERNEL);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.patchbay.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(CLASSES.stream().map(type -> type.getPackage()).distinct())
                .allMatch(found -> found.isAnnotatedWith(NullMarked.class));
    }

    @Test
    void onlyTheKernelUsesJshell() {
        noClasses()
                .that()
                .resideOutsideOfPackage(KERNEL)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jdk.jshell..")
                .check(CLASSES);
    }

    /** The server's standard output carries the protocol. */
    @Test
    void onlyTheKernelUsesStandardStreamsAndEndsItsProcess() {
        noClasses()
                .that()
                .resideOutsideOfPackage(KERNEL)
                .should()
                .accessFieldWhere(
                        DescribedPredicate.describe(
                                "standard streams", ReplArchitectureTest::isStandardStream))
                .orShould()
                .callMethodWhere(
                        DescribedPredicate.describe("end", ReplArchitectureTest::endsProcess))
                .check(CLASSES);
    }

    private static boolean isStandardStream(JavaFieldAccess access) {
        return access.getTargetOwner().isEquivalentTo(FileDescriptor.class)
                || (access.getTargetOwner().isEquivalentTo(System.class)
                        && Set.of("in", "out", "err").contains(access.getTarget().getName()));
    }

    private static boolean endsProcess(JavaMethodCall call) {
        return (call.getTargetOwner().isEquivalentTo(System.class)
                        || call.getTargetOwner().isEquivalentTo(Runtime.class))
                && Set.of("exit", "halt").contains(call.getName());
    }
}

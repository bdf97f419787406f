package dev.patchbay;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.FileDescriptor;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The package table of docs/ARCHITECTURE.md, and the rules that hold across packages. */
class ArchitectureTest {
    private static final String ROOT = "dev.patchbay.";

    /** Each package, and the packages it may use. */
    static final Map<String, Set<String>> ALLOWED_DEPENDENCIES =
            Map.ofEntries(
                    entry("files", Set.of()),
                    entry("text", Set.of()),
                    entry("background", Set.of("text")),
                    entry("json", Set.of()),
                    entry("time", Set.of()),
                    entry("jsonrpc", Set.of("json")),
                    entry("mcp", Set.of("json", "jsonrpc")),
                    entry("schema", Set.of("json")),
                    entry("stdio", Set.of("json", "jsonrpc")),
                    entry("http", Set.of("json", "jsonrpc", "mcp")),
                    entry("server", Set.of("json", "jsonrpc", "mcp")),
                    entry("catalog", Set.of("json", "mcp", "schema", "server")),
                    entry(
                            "gateway",
                            Set.of("json", "jsonrpc", "mcp", "schema", "server", "catalog")),
                    entry(
                            "clients",
                            Set.of(
                                    "json", "jsonrpc", "mcp", "schema", "server", "catalog",
                                    "gateway")),
                    entry("oauth", Set.of("json", "http", "server")),
                    entry("config", Set.of("json", "mcp", "server", "catalog", "gateway")),
                    entry(
                            "history",
                            Set.of("json", "jsonrpc", "mcp", "server", "gateway", "config")),
                    entry("daemon", Set.of("json", "jsonrpc", "mcp", "stdio")),
                    entry("trust", Set.of("json", "config")),
                    entry("telemetry", Set.of("json", "jsonrpc", "mcp", "server", "gateway")),
                    entry("secret", Set.of("json", "server")),
                    entry("registry", Set.of("json", "http", "config")),
                    entry("sandbox", Set.of("json", "server", "stdio")),
                    entry(
                            "doctor",
                            Set.of(
                                    "json", "mcp", "stdio", "http", "server", "catalog", "gateway",
                                    "config")),
                    entry(
                            "dashboard",
                            Set.of(
                                    "json", "jsonrpc", "mcp", "http", "server", "catalog",
                                    "gateway", "config", "doctor", "history")),
                    entry(
                            "embedding",
                            Set.of(
                                    "json", "jsonrpc", "mcp", "stdio", "http", "server", "catalog",
                                    "gateway", "oauth", "sandbox")),
                    entry(
                            "app",
                            Set.of(
                                    "json",
                                    "jsonrpc",
                                    "mcp",
                                    "schema",
                                    "stdio",
                                    "http",
                                    "server",
                                    "catalog",
                                    "gateway",
                                    "clients",
                                    "config",
                                    "daemon",
                                    "doctor",
                                    "history",
                                    "dashboard",
                                    "oauth",
                                    "trust",
                                    "secret",
                                    "registry",
                                    "sandbox",
                                    "telemetry",
                                    "embedding")));

    /** Small packages that use the JDK and each other only; every package may use them. */
    static final Set<String> FOUNDATION = Set.of("background", "files", "text", "time");

    /** Each library, and the packages that may know it. */
    private static final Map<String, Set<String>> LIBRARY_USERS =
            Map.ofEntries(
                    entry("com.fasterxml.jackson..", Set.of()),
                    entry("com.nimbusds..", Set.of("oauth")),
                    entry("com.sun.net.httpserver..", Set.of()),
                    entry("io.opentelemetry..", Set.of("telemetry")),
                    entry("java.net.http..", Set.of()),
                    entry("jdk.jshell..", Set.of()),
                    entry("org.eclipse.jetty..", Set.of("http")),
                    entry("org.slf4j..", Set.of()),
                    entry("org.tomlj..", Set.of("config")),
                    entry("picocli..", Set.of("app")),
                    entry("tools.jackson..", Set.of()));

    private static final JavaClasses CLASSES =
            new ClassFileImporter().importPath(Path.of("target", "classes"));

    @TestFactory
    List<DynamicTest> packageUsesOnlyAllowedPackages() {
        return ALLOWED_DEPENDENCIES.keySet().stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> checkUses(name)))
                .toList();
    }

    private static void checkUses(String name) {
        var forbidden = new TreeSet<>(ALLOWED_DEPENDENCIES.keySet());
        forbidden.remove(name);
        forbidden.removeAll(ALLOWED_DEPENDENCIES.get(name));
        if (!FOUNDATION.contains(name)) {
            forbidden.removeAll(FOUNDATION);
        }
        if (!forbidden.isEmpty()) {
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + name + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(packages(forbidden))
                    .check(CLASSES);
        }
    }

    @TestFactory
    List<DynamicTest> libraryIsUsedOnlyByAllowedPackages() {
        return LIBRARY_USERS.keySet().stream()
                .map(library -> DynamicTest.dynamicTest(library, () -> checkLibrary(library)))
                .toList();
    }

    private static void checkLibrary(String library) {
        noClasses()
                .that()
                .resideOutsideOfPackages(packages(LIBRARY_USERS.get(library)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(CLASSES);
    }

    @Test
    void everyPackageIsInTheTable() {
        assertThat(CLASSES.stream().map(type -> type.getPackageName().split("\\.", -1)[2]))
                .isSubsetOf(ALLOWED_DEPENDENCIES.keySet());
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(CLASSES.stream().map(type -> type.getPackage()).distinct())
                .allMatch(found -> found.isAnnotatedWith(NullMarked.class));
    }

    /** Hosts start the gateway on stdio; they pay for nothing that only a browser sees. */
    @Test
    void onlyHttpServingUsesTheDashboard() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "dashboard..")
                .and()
                .doNotHaveSimpleName("HttpServerRunner")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "dashboard..")
                .check(CLASSES);
    }

    /** One stray print to standard output breaks the protocol on stdio. */
    @Test
    void onlyStdioAndAppUseStandardStreams() {
        var streams =
                describe(
                        "standard streams",
                        (JavaFieldAccess access) ->
                                access.getTargetOwner().isEquivalentTo(FileDescriptor.class)
                                        || (access.getTargetOwner().isEquivalentTo(System.class)
                                                && Set.of("in", "out", "err")
                                                        .contains(access.getTarget().getName())));
        noClasses()
                .that(DescribedPredicate.not(resideInAnyPackage(packages(Set.of("stdio", "app")))))
                .should()
                .accessFieldWhere(streams)
                .check(CLASSES);
    }

    @Test
    void onlyAppExitsTheProcess() {
        forbidOutsideApp(
                "end the process",
                call ->
                        calls(call, System.class, "exit")
                                || calls(call, Runtime.class, "exit")
                                || calls(call, Runtime.class, "halt"));
    }

    /** Time comes from a clock that is passed in; a span is measured with System.nanoTime. */
    @Test
    void onlyAppReadsTheClock() {
        forbidOutsideApp(
                "read the clock of the machine",
                call ->
                        calls(call, System.class, "currentTimeMillis")
                                || (call.getTargetOwner().isAssignableTo(Clock.class)
                                        && call.getName().startsWith("system"))
                                || (call.getTargetOwner().getPackageName().equals("java.time")
                                        && call.getName().equals("now")
                                        && call.getTarget().getRawParameterTypes().isEmpty()));
    }

    @Test
    void nothingCallsThreadSleep() {
        noClasses()
                .should()
                .callMethodWhere(describe("sleep", call -> calls(call, Thread.class, "sleep")))
                .check(CLASSES);
    }

    private static void forbidOutsideApp(String what, Predicate<JavaMethodCall> calls) {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "app..")
                .should()
                .callMethodWhere(describe(what, calls))
                .check(CLASSES);
    }

    private static boolean calls(JavaMethodCall call, Class<?> owner, String name) {
        return call.getTargetOwner().isEquivalentTo(owner) && call.getName().equals(name);
    }

    private static String[] packages(Set<String> names) {
        return names.stream().map(name -> ROOT + name + "..").toArray(String[]::new);
    }
}

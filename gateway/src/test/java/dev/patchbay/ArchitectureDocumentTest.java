package dev.patchbay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What {@code docs/ARCHITECTURE.md} says of modules, packages and types is so. */
@Tag("slow")
class ArchitectureDocumentTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z]+)` \\| [^|]+ \\| ([^|]+) \\|$");
    private static final Pattern WORD = Pattern.compile("[a-z]+");
    private static final Pattern TYPE =
            Pattern.compile("[`.]([A-Z][a-z]+[A-Za-z]*)(?:\\.([a-z]+))?`");

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/ARCHITECTURE.md"));
    }

    @Test
    void packageTableMatchesTheArchitectureTest() throws IOException {
        String packages = page().split("\n## Packages\n", -1)[1].split("\n## ", -1)[0];
        Map<String, Set<String>> told = new TreeMap<>();
        Matcher row = ROW.matcher(packages);
        while (row.find()) {
            told.put(row.group(1), packagesIn(row.group(1), row.group(2)));
        }
        assertThat(told).isEqualTo(new TreeMap<>(ArchitectureTest.ALLOWED_DEPENDENCIES));
    }

    /** The packages that a cell of the table names. */
    private static Set<String> packagesIn(String name, String cell) {
        Set<String> all = new TreeSet<>(ArchitectureTest.ALLOWED_DEPENDENCIES.keySet());
        if (cell.equals("all")) {
            all.remove(name);
            all.removeAll(ArchitectureTest.FOUNDATION);
        } else {
            all.retainAll(WORD.matcher(cell).results().map(it -> it.group()).toList());
        }
        return all;
    }

    @Test
    void everyNamedTypeExists() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
                String type = file.getFileName().toString().replace(".java", "");
                sources.put(type, Files.readString(file));
            }
        }
        Matcher named = TYPE.matcher(page());
        int seen = 0;
        while (named.find()) {
            seen++;
            assertThat(sources.keySet()).contains(named.group(1));
            if (named.group(2) != null) {
                assertThat(sources.get(named.group(1))).contains(" " + named.group(2) + "(");
            }
        }
        assertThat(seen).isGreaterThan(12);
    }

    /** Those who test the program from outside cannot share its mistakes. */
    @Test
    void testkitAndConformanceDoNotUseTheGateway() throws IOException {
        assertImports(
                "testkit/src/main",
                List.of(
                        "java.",
                        "com.sun.net.httpserver.", // the JDK's own
                        "dev.patchbay.testkit.",
                        "org.jspecify."));
        for (String line : imports("conformance/src")) {
            if (line.startsWith("dev.patchbay.")) {
                assertThat(line).matches("dev\\.patchbay\\.(conformance|testkit)\\..*");
            }
        }
    }

    private static void assertImports(String folder, List<String> allowed) throws IOException {
        assertThat(imports(folder)).isNotEmpty().allMatch(it -> startsWithAny(it, allowed));
    }

    private static boolean startsWithAny(String line, List<String> starts) {
        return starts.stream().anyMatch(line::startsWith);
    }

    /** What the sources of a folder import. */
    private static List<String> imports(String folder) throws IOException {
        Pattern line = Pattern.compile("(?m)^import (?:static )?([^;]+);");
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            Set<String> all = new TreeSet<>();
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
                line.matcher(Files.readString(file)).results().forEach(it -> all.add(it.group(1)));
            }
            return List.copyOf(all);
        }
    }
}

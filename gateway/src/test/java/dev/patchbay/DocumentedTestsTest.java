package dev.patchbay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages name tests that there are. */
class DocumentedTestsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** A class, a method of it, or a method of the class that the same line named before. */
    private static final Pattern TEST_NAME =
            Pattern.compile("`(?:([A-Z][A-Za-z]*Test)(?:\\.([a-z]\\w*))?|([a-z]+[A-Z]\\w*))`");

    @Test
    void everyDocumentedTestExists() throws IOException {
        var missing = new ArrayList<String>();
        int named = 0;
        for (Path page : pages()) {
            for (String line : Files.readAllLines(page)) {
                named += check(line, ROOT.relativize(page) + ": ", missing);
            }
        }
        assertThat(named).isGreaterThan(400);
        assertThat(missing).isEmpty();
    }

    /** How many tests a line names. */
    private static int check(String line, String where, List<String> missing) throws IOException {
        int named = 0;
        String last = "";
        for (MatchResult name : TEST_NAME.matcher(line).results().toList()) {
            boolean whole = name.group(1) != null;
            last = whole ? name.group(1) : last;
            if (!last.isEmpty()) {
                named++;
                if (!exists(last, Optional.ofNullable(name.group(whole ? 2 : 3)))) {
                    missing.add(where + name.group());
                }
            }
        }
        return named;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs).filter(it -> it.toString().endsWith(".md")).toList();
        }
    }

    private static boolean exists(String name, Optional<String> method) throws IOException {
        for (String module : List.of("gateway", "repl", "conformance")) {
            Path tests = ROOT.resolve(module).resolve("src/test/java");
            try (Stream<Path> files = Files.walk(tests)) {
                for (Path file : files.filter(it -> it.endsWith(name + ".java")).toList()) {
                    String text = Files.readString(file);
                    if (method.isEmpty() || text.contains("void " + method.get() + "(")) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}

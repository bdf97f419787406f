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

/** The page of promises names tests that there are. */
class PromisesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAMED =
            Pattern.compile("`([A-Z][A-Za-z]*Test)(?:\\.([a-z]\\w*))?`");

    @Test
    void everyTestThatIsNamedIsThere() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/PROMISES.md"));
        List<MatchResult> named = NAMED.matcher(page).results().toList();
        var missing = new ArrayList<String>();
        for (MatchResult test : named) {
            if (!isThere(test.group(1), Optional.ofNullable(test.group(2)))) {
                missing.add(test.group());
            }
        }
        assertThat(named).hasSizeGreaterThan(100);
        assertThat(missing).isEmpty();
    }

    private static boolean isThere(String name, Optional<String> method) throws IOException {
        for (String module : List.of("gateway", "conformance")) {
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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints how long the test classes took and which tests did not run, from the XML reports of all
 * modules: {@code java build/TestSummary.java ROOT}.
 */
final class TestSummary {
    private static final int SLOWEST_MAX = 15;
    private static final Pattern SUITE = Pattern.compile("<testsuite\\s[^>]*>");
    private static final Pattern METHOD =
            Pattern.compile("@(Test|ParameterizedTest|TestFactory|RepeatedTest)\\b");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"(fleet|browser)\"\\)");

    /** The result of one test class. */
    private record TestClass(String name, double seconds, int tests, int skipped) {}

    private TestSummary() {}

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        List<TestClass> classes = new ArrayList<>();
        for (Path report : find(root, "TEST-.*\\.xml")) {
            read(report).ifPresent(classes::add);
        }
        classes.sort(Comparator.comparingDouble(TestClass::seconds).reversed());
        System.out.printf(
                Locale.ROOT,
                "%d tests in %d classes. The slowest classes:%n",
                classes.stream().mapToInt(TestClass::tests).sum(),
                classes.size());
        classes.stream()
                .limit(SLOWEST_MAX)
                .forEach(
                        it ->
                                System.out.printf(
                                        Locale.ROOT, "%8.1f s  %s%n", it.seconds(), it.name()));
        System.out.println(notRun(root, classes));
    }

    /** One line about the tests that did not run, and the command that runs them all. */
    private static String notRun(Path root, List<TestClass> classes) throws IOException {
        Set<String> reported = classes.stream().map(TestClass::name).collect(Collectors.toSet());
        Set<String> left = new TreeSet<>();
        long methods = classes.stream().mapToInt(TestClass::skipped).sum();
        for (Path source : find(root, ".*Test\\.java")) {
            String name = source.getFileName().toString().replace(".java", "");
            boolean ran = reported.stream().anyMatch(it -> it.endsWith("." + name));
            String text = Files.readString(source);
            if (!ran && TAG.matcher(text).find()) {
                left.add(name);
                methods += METHOD.matcher(text).results().count();
            }
        }
        if (methods == 0) {
            return "Every test ran.";
        }
        String reason =
                left.isEmpty()
                        ? "they were skipped"
                        : "they need npm or Chromium: " + String.join(", ", left);
        return "%d tests did not run, because %s. Run all tests with: .ci/run"
                .formatted(methods, reason);
    }

    private static List<Path> find(Path root, String name) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String module : List.of("testkit", "gateway", "repl", "conformance")) {
            Path folder = root.resolve(module);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(it -> it.getFileName().toString().matches(name))
                            .forEach(found::add);
                }
            }
        }
        return found;
    }

    private static Optional<TestClass> read(Path report) throws IOException {
        Matcher suite = SUITE.matcher(Files.readString(report));
        if (!suite.find()) {
            return Optional.empty();
        }
        String start = suite.group();
        return Optional.of(
                new TestClass(
                        attribute(start, "name"),
                        Double.parseDouble(attribute(start, "time").replace(",", "")),
                        Integer.parseInt(attribute(start, "tests")),
                        Integer.parseInt(attribute(start, "skipped"))));
    }

    private static String attribute(String start, String name) {
        Matcher value = Pattern.compile("\\s" + name + "=\"([^\"]*)\"").matcher(start);
        return value.find() ? value.group(1) : "0";
    }
}

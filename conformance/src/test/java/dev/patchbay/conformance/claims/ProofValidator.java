package dev.patchbay.conformance.claims;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks that a proof is an existing test, an existing command, or a reason why none is needed. */
final class ProofValidator {
    private static final Pattern NONE =
            Pattern.compile("none: (?:pointer|instruction|definition|advice)");
    private static final Pattern TEST = Pattern.compile("([A-Z]\\w*Test)(?:\\.([a-z]\\w*))?");
    private static final Pattern PROFILE = Pattern.compile("-P(\\S+)");

    private final Path root;

    /** The source of every test class, by simple name. */
    private final Map<String, String> testSources = new HashMap<>();

    private ProofValidator(Path root) {
        this.root = root;
    }

    static ProofValidator scan(Path root) throws IOException {
        var validator = new ProofValidator(root);
        try (Stream<Path> modules = Files.list(root)) {
            for (Path tests : modules.map(it -> it.resolve("src/test/java")).toList()) {
                if (Files.isDirectory(tests)) {
                    validator.addTestsIn(tests);
                }
            }
        }
        return validator;
    }

    private void addTestsIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(it -> it.toString().endsWith("Test.java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                testSources.put(name, Files.readString(file));
            }
        }
    }

    /** What is wrong with a proof, as the end of a sentence that begins with it. */
    Optional<String> findFault(String proof) throws IOException {
        if (proof.startsWith("none: ")) {
            return NONE.matcher(proof).matches()
                    ? Optional.empty()
                    : Optional.of(" is none of: pointer, instruction, definition, advice");
        } else if (proof.startsWith("run: ")) {
            String[] words = proof.substring("run: ".length()).split(" ", -1);
            return isExistingCommand(words)
                    ? Optional.empty()
                    : Optional.of(" is a command that does not exist");
        }
        return isExistingTest(proof)
                ? Optional.empty()
                : Optional.of(" is a test that does not exist");
    }

    private boolean isExistingTest(String proof) {
        var test = TEST.matcher(proof);
        if (!test.matches() || !testSources.containsKey(test.group(1))) {
            return false;
        }
        return test.group(2) == null
                || isTestMethod(testSources.getOrDefault(test.group(1), ""), test.group(2));
    }

    /** Whether the source declares a method of this name with a test annotation. */
    private static boolean isTestMethod(String text, String method) {
        Pattern declared = Pattern.compile(" " + method + "\\(");
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("    ") && declared.matcher(lines.get(i)).find()) {
                for (int above = i; above >= 0 && !lines.get(above).isBlank(); above--) {
                    if (lines.get(above).matches(" +@(\\w*Test|TestFactory)\\b.*")) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isExistingCommand(String[] words) throws IOException {
        String second = words.length > 1 ? words[1] : "";
        return switch (words[0]) {
            case "mvn", "./mvnw" -> hasProfiles(String.join(" ", words));
            case "java" -> Files.isRegularFile(root.resolve(second));
            case "patchbay", "./patchbay" -> isCommand(second);
            default -> Files.isExecutable(root.resolve(words[0]));
        };
    }

    private boolean isCommand(String name) throws IOException {
        String page = Files.readString(root.resolve("docs/commands.md"));
        return name.startsWith("-")
                || name.equals("manual")
                || page.contains("\n## " + name + "\n");
    }

    private boolean hasProfiles(String command) throws IOException {
        var poms = new StringBuilder(Files.readString(root.resolve("pom.xml")));
        try (Stream<Path> modules = Files.list(root)) {
            for (Path pom : modules.map(it -> it.resolve("pom.xml")).toList()) {
                poms.append(Files.exists(pom) ? Files.readString(pom) : "");
            }
        }
        return PROFILE.matcher(command)
                .results()
                .flatMap(it -> Stream.of(it.group(1).split(",", -1)))
                .allMatch(it -> poms.indexOf("<id>" + it + "</id>") >= 0);
    }
}

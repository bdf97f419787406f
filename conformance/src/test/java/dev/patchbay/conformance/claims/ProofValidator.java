package dev.patchbay.conformance.claims;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What may stand as a proof: the tests and the commands that there are. */
final class ProofValidator {
    private static final Pattern NONE =
            Pattern.compile("none: (?:an? )?(?:pointer|instruction|definition|advice)");
    private static final Pattern TEST = Pattern.compile("([A-Z]\\w*Test)(?:\\.([a-z]\\w*))?");
    private static final Pattern PROFILE = Pattern.compile("-P(\\S+)");

    private final Path root;

    /** The text of every class of tests, by its simple name; some names are there twice. */
    private final Map<String, List<String>> testSources = new HashMap<>();

    private ProofValidator(Path root) {
        this.root = root;
    }

    static ProofValidator scan(Path root) throws IOException {
        var proofs = new ProofValidator(root);
        for (String module : List.of("gateway", "conformance", "testkit")) {
            try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/test/java"))) {
                for (Path file : files.filter(it -> it.toString().endsWith("Test.java")).toList()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    proofs.testSources
                            .computeIfAbsent(name, it -> new ArrayList<>())
                            .add(Files.readString(file));
                }
            }
        }
        return proofs;
    }

    /** Why something is no proof, if it is none. */
    Optional<String> findFault(String proof) throws IOException {
        var test = TEST.matcher(proof);
        if (proof.startsWith("none: ")) {
            return NONE.matcher(proof).matches()
                    ? Optional.empty()
                    : Optional.of("is none of: pointer, instruction, definition, advice");
        } else if (proof.startsWith("run: ")) {
            return findCommandFault(proof.substring("run: ".length()).split(" ", -1));
        } else if (!test.matches()) {
            return Optional.of("is neither a test nor a command");
        }
        List<String> texts = testSources.getOrDefault(test.group(1), List.of());
        boolean there =
                test.group(2) == null
                        ? !texts.isEmpty()
                        : texts.stream().anyMatch(it -> isTestMethod(it, test.group(2)));
        return there ? Optional.empty() : Optional.of("is a test that is not there");
    }

    /** Whether a method is there, with an annotation of a test above it. */
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

    private Optional<String> findCommandFault(String[] words) throws IOException {
        String second = words.length > 1 ? words[1] : "";
        boolean there =
                switch (words[0]) {
                    case "mvn" -> hasProfiles(String.join(" ", words));
                    case "java" -> Files.isRegularFile(root.resolve(second));
                    case "patchbay", "./patchbay" -> isCommand(second);
                    default -> Files.isExecutable(root.resolve(words[0]));
                };
        return there ? Optional.empty() : Optional.of("is a command that is not there");
    }

    private boolean isCommand(String name) throws IOException {
        String page = Files.readString(root.resolve("docs/commands.md"));
        return name.startsWith("-")
                || name.equals("manual")
                || page.contains("\n## " + name + "\n");
    }

    private boolean hasProfiles(String command) throws IOException {
        var poms = new StringBuilder(Files.readString(root.resolve("pom.xml")));
        for (String module : List.of("gateway", "conformance", "testkit", "bench", "dist")) {
            poms.append(Files.readString(root.resolve(module).resolve("pom.xml")));
        }
        return PROFILE.matcher(command)
                .results()
                .flatMap(it -> Stream.of(it.group(1).split(",", -1)))
                .allMatch(it -> poms.indexOf("<id>" + it + "</id>") >= 0);
    }
}

package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the pages tell people to type or to write is what the program takes. */
class GuideSnippetsTest {
    private static final Path ROOT = Path.of(System.getProperty("patchbay.launcher")).getParent();
    private static final Pattern CONFIGURATION = Pattern.compile("(?ms)^```jsonc?\n(.*?)^```$");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)}");
    private static final Pattern COMMAND_LINE =
            Pattern.compile("(?m)^(?:\\$ )?(?:\\./)?patchbay (\\S.*)$|`(?:\\./)?patchbay ([^`]+)`");
    private static final Pattern PACKAGE = Pattern.compile("`(@[a-z-]+/[a-z0-9-]+|mcp-[a-z-]+)`");
    private static final Pattern OPTION = Pattern.compile("(?<=\\s)--[a-z][a-z-]+");
    private static final Pattern SECTION = Pattern.compile("(?ms)^## ([a-z]+)$(.*?)(?=^## |\\z)");

    @Test
    void everyConfigurationSnippetIsValid(@TempDir Path folder) throws Exception {
        var faults = new ArrayList<String>();
        int seen = 0;
        for (Path page : pages()) {
            Matcher shown = CONFIGURATION.matcher(Files.readString(page));
            while (shown.find()) {
                seen++;
                var bench = new TestInstallation(folder).save(asConfigurationFile(shown.group(1)));
                VARIABLE.matcher(shown.group(1))
                        .results()
                        .forEach(it -> bench.env(it.group(1), "a-value"));
                JsonTree check = StrictJson.parse(bench.run("check", "--json").out());
                for (JsonTree finding : check.at("findings").asList()) {
                    faults.add(ROOT.relativize(page) + ": " + finding);
                }
            }
        }
        assertThat(seen).isGreaterThan(2);
        assertThat(faults).isEmpty();
    }

    /** A snippet as a file: some show the entries of servers alone. */
    private static String asConfigurationFile(String snippet) {
        return snippet.startsWith("{") ? snippet : "{\"mcpServers\": {" + snippet + "}}";
    }

    @Test
    void everyCommandAndOptionExists() throws IOException {
        Map<String, String> sections = new HashMap<>();
        SECTION.matcher(Files.readString(ROOT.resolve("docs/commands.md")))
                .results()
                .forEach(it -> sections.put(it.group(1), it.group(2)));
        var unknown = new ArrayList<String>();
        int seen = 0;
        for (Path page : pages()) {
            Matcher spoken = COMMAND_LINE.matcher(Files.readString(page));
            while (spoken.find()) {
                seen++;
                String words = spoken.group(1) != null ? spoken.group(1) : spoken.group(2);
                if (!isKnown(words.replaceAll("\\s(#|-- |\\|).*", ""), sections)) {
                    unknown.add(ROOT.relativize(page) + ": " + words);
                }
            }
        }
        assertThat(seen).isGreaterThan(50);
        assertThat(unknown).isEmpty();
    }

    private static boolean isKnown(String words, Map<String, String> sections) {
        String command = words.split(" ", 2)[0];
        if (command.equals("--version") || command.equals("manual") || command.equals("COMMAND")) {
            return true;
        }
        String section = sections.get(command);
        List<String> options = OPTION.matcher(words).results().map(it -> it.group()).toList();
        return section != null && options.stream().allMatch(section::contains);
    }

    @Test
    void documentedVersionsAreTheTestedOnes() throws IOException {
        JsonTree parts =
                StrictJson.parse(Files.readString(ROOT.resolve("conformance/npm/package.json")));
        var wrong = new ArrayList<String>();
        int seen = 0;
        for (String row : Files.readAllLines(ROOT.resolve("docs/clients.md"))) {
            Matcher name = PACKAGE.matcher(row);
            if (row.startsWith("|") && name.find()) {
                seen++;
                Optional<JsonTree> version = parts.at("dependencies").findAt(name.group(1));
                if (version.isEmpty() || !row.contains("| " + version.get().asText() + " |")) {
                    wrong.add(row);
                }
            }
        }
        assertThat(seen).isGreaterThan(9);
        assertThat(wrong).isEmpty();
        String page = Files.readString(ROOT.resolve("docs/clients.md"));
        String suite = parts.at("dependencies", "@modelcontextprotocol/conformance").asText();
        assertThat(page).contains("the official conformance suite (" + suite + ")");
        Matcher sdk =
                Pattern.compile("(?s)<artifactId>mcp</artifactId>\\s*<version>(.*?)</version>")
                        .matcher(Files.readString(ROOT.resolve("conformance/pom.xml")));
        assertThat(sdk.find()).isTrue();
        assertThat(page).contains("(`io.modelcontextprotocol.sdk:mcp`) | " + sdk.group(1) + " |");
    }

    /** The parts come from the registry that is configured where they are installed. */
    @Test
    void npmLockFilesNameNoRegistry() throws IOException {
        String lock = Files.readString(ROOT.resolve("conformance/npm/package-lock.json"));
        assertThat(lock).contains("\"integrity\"").doesNotContain("\"resolved\"");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.list(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"))) {
            return Stream.of(top, docs, examples)
                    .flatMap(it -> it)
                    .filter(it -> it.toString().endsWith(".md"))
                    .toList();
        }
    }
}

package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.PackagedProgram;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The guide is about the program that is here, and its links lead somewhere. */
class GuideTest {
    private static final Path ROOT = Path.of(System.getProperty("patchbay.launcher")).getParent();
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");

    @Test
    void commandReferenceMatchesTheHelpTexts() throws IOException, InterruptedException {
        PackagedProgram program =
                PackagedProgram.find()
                        .orElseThrow(() -> new AssertionError(PackagedProgram.MISSING));
        Process process =
                new ProcessBuilder(program.launcherCommand("manual", "markdown"))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        process.getOutputStream().close();
        String told = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(ROOT.resolve("docs", "commands.md")))
                .as("Write it anew: ./patchbay manual markdown > docs/commands.md")
                .isEqualTo(told);
    }

    @Test
    void everyLinkLeadsToAnExistingFile() throws IOException {
        var broken = new ArrayList<String>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                String file = link.replaceAll("#.*", "");
                if (!file.isEmpty() && !Files.exists(page.resolveSibling(file))) {
                    broken.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void everyAnchorLinkLeadsToAHeading() throws IOException {
        var broken = new ArrayList<String>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                int hash = link.indexOf('#');
                Path target = page.resolveSibling(hash > 0 ? link.substring(0, hash) : "");
                Path file = hash == 0 ? page : target;
                if (hash >= 0 && !anchors(file).contains(link.substring(hash + 1))) {
                    broken.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void indexLinksToEveryPage() throws IOException {
        Path docs = ROOT.resolve("docs");
        List<String> linked = links(docs.resolve("README.md"));
        try (Stream<Path> files = Files.list(docs)) {
            assertThat(
                            files.map(it -> it.getFileName().toString())
                                    .filter(it -> it.endsWith(".md") && !it.equals("README.md")))
                    .isSubsetOf(linked);
        }
    }

    private static List<Path> pages() throws IOException {
        var pages = new ArrayList<Path>();
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"))) {
            Stream.of(top, docs, examples)
                    .flatMap(it -> it)
                    .filter(it -> it.toString().endsWith(".md"))
                    .forEach(pages::add);
        }
        assertThat(pages).hasSizeGreaterThan(10);
        return pages;
    }

    /** The links of a page to files of this project. */
    private static List<String> links(Path page) throws IOException {
        var links = new ArrayList<String>();
        Matcher link = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll("code"));
        while (link.find()) {
            if (!link.group(1).matches("[a-z]+:.*")) {
                links.add(link.group(1));
            }
        }
        return links;
    }

    /** What the headings of a page are called in links. */
    private static Set<String> anchors(Path page) throws IOException {
        var anchors = new TreeSet<String>();
        for (String line : Files.readAllLines(page)) {
            if (line.matches("#{1,6} .*")) {
                String text = line.replaceAll("^#+ ", "").toLowerCase(Locale.ROOT);
                anchors.add(text.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'));
            }
        }
        return anchors;
    }
}

package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.concurrent.TimeUnit.SECONDS;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

/** The web site that {@code build/Site.java} makes of the guide. */
class SiteTest {
    private static final Path ROOT = Path.of(System.getProperty("patchbay.launcher")).getParent();
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ANCHOR = Pattern.compile(" id=\"([^\"]*)\"");

    @TempDir private static Path site;
    private static final Map<Path, String> PAGES = new HashMap<>();

    @BeforeAll
    static void makeSite() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                ROOT.resolve("build/Site.java").toString(),
                                ROOT.toString(),
                                site.toString())
                        .inheritIO()
                        .start();
        assertThat(process.waitFor(60, SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        try (Stream<Path> files = Files.walk(site)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".html")).toList()) {
                PAGES.put(file, Files.readString(file));
            }
        }
    }

    private static Set<String> anchors(Path page) {
        var anchors = new TreeSet<String>();
        ANCHOR.matcher(PAGES.getOrDefault(page, ""))
                .results()
                .forEach(it -> anchors.add(it.group(1)));
        return anchors;
    }

    private static boolean exists(Path page, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return Files.isRegularFile(target)
                && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    @Test
    void everyLinkOfThePagesAndOfTheSearchLeadsSomewhere() throws IOException {
        var broken = new ArrayList<String>();
        PAGES.forEach(
                (page, text) ->
                        LINK.matcher(text)
                                .results()
                                .map(it -> it.group(1))
                                .filter(it -> !it.matches("https?:.*|mailto:.*"))
                                .filter(it -> !exists(page, it))
                                .forEach(it -> broken.add(page.getFileName() + ": " + it)));
        String index = Files.readString(site.resolve("search-index.js"));
        List<String> found =
                Pattern.compile("\\{u: \"([^\"]*)\"")
                        .matcher(index)
                        .results()
                        .map(it -> it.group(1))
                        .toList();
        assertThat(found).hasSizeGreaterThan(100);
        found.stream()
                .filter(it -> !exists(site.resolve("index.html"), it))
                .forEach(it -> broken.add("search: " + it));
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageIsWellFormedAndLoadsNothingFromElsewhere()
            throws IOException, SAXException, ParserConfigurationException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            long pages = docs.filter(it -> it.toString().endsWith(".md")).count();
            assertThat(PAGES).hasSize((int) pages + 1);
        }
        for (String text : PAGES.values()) {
            String xml = text.replaceFirst("<!DOCTYPE html>", "");
            var reader = new InputSource(new StringReader(xml));
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(reader);
            assertThat(text).doesNotContainPattern("src=\"https?:").contains("id=\"words\"");
        }
    }
}
